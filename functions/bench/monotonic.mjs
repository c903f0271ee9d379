/** Milliseconds of the system's monotonic clock: the same in every process of the machine, so stamps can be compared. */
export function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}
