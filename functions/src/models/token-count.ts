import { BLANK_BEFORE_DIGITS, type Kind, kindOf, RANGES, RANGES_START, RUN_RATES, type Run } from './token-rates';

/** A place in a run, as a state of the count. */
interface Place {
  readonly run: Run;
  readonly index: number;
}

const HUNDRED = 100;
const RUNS = Object.keys(RUN_RATES) as Run[];
const PLACES: readonly Place[] = RUNS.flatMap((run) => RUN_RATES[run].map((_, index) => ({ run, index })));
/** Where the places of a run begin. */
const FIRST_PLACE = new Map(RUNS.map((run) => [run, PLACES.findIndex((place) => place.run === run)]));

/** A row of the table has as many places; more kinds than these there are not. */
const KINDS_MAX = 32;
const kinds: Kind[] = [];
/** The kind of each UTF-16 code unit. Filled by ranges: to look each up would take longer than all else at a start. */
const KIND_OF = new Uint8Array(0x1_0000);
for (let code = 0; code < RANGES_START; code += 1) KIND_OF[code] = numberOf(kindOf(code));
RANGES.reduce((from, [end, kind]) => {
  KIND_OF.fill(numberOf(kind), from, end);
  return end;
}, RANGES_START);
const STATE_BITS = 16;
const STATE_MASK = (1 << STATE_BITS) - 1;
/** By state and kind: the state after it in the lower 16 bits, already a row of this table, and what it adds above them. */
const STEPS = Int32Array.from({ length: PLACES.length * KINDS_MAX }, (_, at) => {
  const before = PLACES[Math.floor(at / KINDS_MAX)];
  const kind = kinds[at % KINDS_MAX];
  return before && kind ? stepOf(before, kind) : 0;
});
const START = rowOf({ run: 'newlines', index: 0 });

function numberOf(kind: Kind): number {
  const number = kinds.indexOf(kind);
  return number >= 0 ? number : kinds.push(kind) - 1;
}

function stepOf(before: Place, { run, more }: Kind): number {
  const index = Math.min(placeAfter(before, run), RUN_RATES[run].length - 1);
  const blank = run === 'digits' && before.run === 'blanks' ? BLANK_BEFORE_DIGITS : 0;
  const adds = (RUN_RATES[run][index] ?? 0) + more + blank;
  return (adds << STATE_BITS) | rowOf({ run, index });
}

function placeAfter(before: Place, run: Run): number {
  if (run === before.run) return before.index + 1;
  // A capital begins its word; after several, small letters go on with what the capitals began.
  return run === 'word' && before.run === 'capitals' ? 1 : 0;
}

function rowOf({ run, index }: Place): number {
  return ((FIRST_PLACE.get(run) ?? 0) + index) * KINDS_MAX;
}

/** Counts a text that comes in pieces: however it is cut, the sum is the same. One look at each character, in a table. */
export class TokenCount {
  #hundredths = 0;
  #state = START;

  /** Adds a piece of the text, or what stands in it between two places. */
  add(piece: string, from = 0, to = piece.length): void {
    let hundredths = this.#hundredths;
    let state = this.#state;
    for (let at = from; at < to; at += 1) {
      const step = STEPS[state + (KIND_OF[piece.charCodeAt(at)] ?? 0)] ?? 0;
      hundredths += step >> STATE_BITS;
      state = step & STATE_MASK;
    }
    this.#hundredths = hundredths;
    this.#state = state;
  }

  /** So far; never less than before. */
  get fraction(): number {
    return this.#hundredths / HUNDRED;
  }

  /** The same in whole tokens. */
  get tokens(): number {
    return Math.ceil(this.fraction);
  }
}
