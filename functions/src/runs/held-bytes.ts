/** A call's sockets, timers and buffers. */
const CALL_BYTES = 96 * 1024;
/** A text, of two bytes a character where one of them is not Latin, and its JSON while it is being sent. */
const BYTES_A_CHARACTER = 4;

/**
 * Bytes that a run with so many calls side by side holds, as measured: the texts of the request once, however many models are
 * shown them. What models write is counted apart.
 */
export function heldBytes(callsAtOnce: number, characters: number): number {
  return callsAtOnce * CALL_BYTES + characters * BYTES_A_CHARACTER;
}
