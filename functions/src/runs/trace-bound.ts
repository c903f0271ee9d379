import type { ByteShare } from '../lib/byte-budget';
import type { TraceEvent } from './trace-event';

/** Of a trace as JSON. */
const CHARACTERS_MAX = 16 * 1024 * 1024;
/** Of one event: what is stored at once has a bound, too. */
const EVENT_CHARACTERS_MAX = 4 * 1024 * 1024;
/** What the answer and the events that are no pieces of text always have of that. */
const CHARACTERS_FOR_ANSWER = 4 * 1024 * 1024;
/** Texts that are not left out are cut to this. */
const CUT_CHARACTERS = 2_000;
const BYTES_A_CHARACTER = 2;
/** Memory is asked for in pieces: most traces need one. */
const STEP_BYTES = 256 * 1024;

const TOO_LONG = 'The trace of this run is too long: from here on it is without the texts of models';

/**
 * Bounds the trace of a run, and with it what a run may hold of the memory of its process and of the store. Beyond the
 * bound pieces of text are left out and other texts are cut, for those who follow live as for those who read later; the
 * trace says so once. Returns what becomes of an event: none, one, or two.
 */
export function boundTrace(memory: ByteShare): (event: TraceEvent) => readonly TraceEvent[] {
  let characters = 0;
  let held = 0;
  let isFull = false;
  return (event) => {
    const size = sizeOf(event);
    if (hasRoom(size, event.type === 'text' ? CHARACTERS_MAX - CHARACTERS_FOR_ANSWER : CHARACTERS_MAX)) {
      characters += size;
      return [event];
    }
    const kept = event.type === 'text' || event.type === 'answer' ? [] : [withShortTexts(event)];
    const said: readonly TraceEvent[] = isFull ? [] : [{ type: 'limitation', text: TOO_LONG }];
    isFull = true;
    return [...said, ...kept];
  };

  function hasRoom(size: number, max: number): boolean {
    const after = characters + size;
    if (after > max || size > EVENT_CHARACTERS_MAX) return false;
    const bytes = after * BYTES_A_CHARACTER;
    if (bytes <= held) return true;
    const wanted = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
    if (!memory.hold(wanted)) return false;
    held = wanted;
    return true;
  }
}

/** About so many characters of JSON. */
function sizeOf(event: TraceEvent): number {
  const text = 'text' in event ? (event.text?.length ?? 0) : 0;
  const explanation = 'explanation' in event ? (event.explanation?.length ?? 0) : 0;
  return 200 + text + explanation;
}

function withShortTexts(event: TraceEvent): TraceEvent {
  if ('text' in event && event.text !== undefined) return { ...event, text: cut(event.text) };
  if (event.type !== 'verdict' || event.explanation === undefined) return event;
  return { ...event, explanation: cut(event.explanation) };
}

function cut(text: string): string {
  return text.length > CUT_CHARACTERS ? `${text.slice(0, CUT_CHARACTERS)}…` : text;
}
