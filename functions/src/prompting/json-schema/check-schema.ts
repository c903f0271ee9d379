/*
 * JSON Schema, checked: a value against a schema that a caller has sent. The schema is walked and never compiled, nothing
 * of it is run, and the work has an end: `pattern` and `format` are not looked at, references only within the schema.
 */
import { type Clock, systemClock } from '../../lib/clock';
import { canonicalJson, costOf, isJsonObject } from './canonical-json';
import { KEYWORDS, PLACE_CHARACTERS_MAX, type Pointer, type Walk } from './keywords';

/** Result of checking a value against a schema. */
export interface SchemaVerdict {
  /** First few violations, in words; none where the value fits. */
  readonly flaws: readonly string[];
  /** True if the check was given up: with a schema that branches and loops it may have no end. */
  readonly givenUp: boolean;
}

/** Some hundredths of a second, in which nobody else is served. */
const STEPS_MAX = 100_000;
/** Steps between two looks at the clock: a small check never depends on how busy the machine is. */
const STEPS_A_LOOK = 10_000;
/** With the work of a last look, and a clock of whole milliseconds, a turn takes at most 50 ms. */
const TURN_MS = 40;
/** Schemas within schemas, references followed: a loop never comes to an end. */
const DEPTH_MAX = 256;
const FLAWS_MAX = 5;
const RULE_CHARACTERS_MAX = 200;

class EndlessCheck extends Error {}

/** Begins a turn, in which nobody else is served; tells later whether it has taken as long as it may. */
export function beginTurn(monotonicMs: Clock['monotonicMs'] = systemClock.monotonicMs): () => boolean {
  const endsAtMs = monotonicMs() + TURN_MS;
  return () => monotonicMs() >= endsAtMs;
}

/** Holds a value of JSON to a JSON Schema (2020-12; `definitions` and lists of `items` too). Never throws. */
export function checkSchema(schema: unknown, value: unknown, isTurnOver = beginTurn()): SchemaVerdict {
  const walk = new SchemaWalk(schema, isTurnOver);
  try {
    walk.hold(schema, value, '');
    return { flaws: walk.flaws, givenUp: false };
  } catch (error) {
    if (error instanceof EndlessCheck) return { flaws: [], givenUp: true };
    throw error;
  }
}

class SchemaWalk implements Walk {
  readonly root: unknown;
  readonly flaws: string[] = [];
  readonly #isTurnOver: () => boolean;
  #flawsWanted = FLAWS_MAX;
  #stepsLeft = STEPS_MAX;
  #looksAt = STEPS_MAX - STEPS_A_LOOK;
  #depth = 0;
  readonly #sets = new Map<unknown, ReadonlySet<string>>();

  constructor(root: unknown, isTurnOver: () => boolean) {
    this.root = root;
    this.#isTurnOver = isTurnOver;
  }

  hold(schema: unknown, value: unknown, at: Pointer): boolean {
    this.spend(1);
    if (schema === false) return this.note(at, () => 'is excluded');
    if (!isJsonObject(schema)) return true;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new EndlessCheck();
    for (const name of Object.keys(schema)) {
      if (this.#flawsWanted === 0) break;
      this.spend(1);
      KEYWORDS.get(name)?.(schema[name], { schema, value, at }, this);
    }
    this.#depth -= 1;
    return this.#flawsWanted > 0;
  }

  fits(schema: unknown, value: unknown): boolean {
    const wanted = this.#flawsWanted;
    this.#flawsWanted = 1;
    const fits = this.hold(schema, value, undefined);
    this.#flawsWanted = wanted;
    return fits;
  }

  note(at: Pointer, rule: () => string): boolean {
    if (this.#flawsWanted === 0) return false;
    this.#flawsWanted -= 1;
    if (at !== undefined) {
      const words = rule();
      this.spend(costOf(words));
      this.flaws.push(`${at === '' ? 'the value' : cut(at, PLACE_CHARACTERS_MAX)} ${cut(words, RULE_CHARACTERS_MAX)}`);
    }
    return this.#flawsWanted > 0;
  }

  readonly spend = (steps: number): void => {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft >= this.#looksAt) return;
    this.#looksAt = Math.max(0, this.#stepsLeft - STEPS_A_LOOK);
    if (this.#stepsLeft < 0 || this.#isTurnOver()) throw new EndlessCheck();
  };

  isOneOf(values: readonly unknown[], value: unknown, argument: unknown): boolean {
    const known = this.#sets.get(argument) ?? new Set(values.map((each) => canonicalJson(each, this.spend)));
    this.#sets.set(argument, known);
    return known.has(canonicalJson(value, this.spend));
  }
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
}
