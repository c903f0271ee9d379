/** The seat itself: `p1` of `p1.for`, as one that argues for both sides is told apart. */
export function seatName(seat: string): string {
  return seat.split('.', 1)[0] ?? seat;
}
