/** A call's sockets, timers and text. */
const CALL_BYTES = 256 * 1024;
/** The text itself, its JSON, and that on its way to the provider. */
const BYTES_A_CHARACTER = 3;

/** What a run of so many calls side by side holds while it runs, as measured; each shows its model so many characters. */
export function heldBytes(callsAtOnce: number, characters: number): number {
  return callsAtOnce * (CALL_BYTES + BYTES_A_CHARACTER * characters);
}
