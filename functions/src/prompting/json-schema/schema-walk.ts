import { canonicalJson, costOf, isJsonObject, type JsonObject } from './canonical-json';

/** JSON pointer to a value; undefined where flaws are only counted. */
export type Pointer = string | undefined;

export interface Place<Value = unknown> {
  readonly schema: JsonObject;
  readonly value: Value;
  readonly at: Pointer;
}

/** Demand of a keyword of a schema; an argument that means nothing demands nothing. Its result is not used. */
export type Keyword<Value = unknown> = (argument: unknown, place: Place<Value>, walk: SchemaWalk) => unknown;

/** Characters of a pointer that are told. */
export const PLACE_CHARACTERS_MAX = 120;
/** Some hundredths of a second, in which nobody else is served. */
const STEPS_MAX = 100_000;
/** Steps between two looks at the clock: a small check never depends on how busy the machine is. */
const STEPS_A_LOOK = 10_000;
/** Schemas within schemas, references followed: a loop never comes to an end. */
const DEPTH_MAX = 256;
const FLAWS_MAX = 5;
const RULE_CHARACTERS_MAX = 200;

export class EndlessCheck extends Error {}

/** A value on its way through a schema. */
export class SchemaWalk {
  readonly root: unknown;
  readonly flaws: string[] = [];
  readonly #keywords: ReadonlyMap<string, Keyword>;
  readonly #isTurnOver: () => boolean;
  #flawsWanted = FLAWS_MAX;
  #stepsLeft = STEPS_MAX;
  #looksAt = STEPS_MAX - STEPS_A_LOOK;
  #depth = 0;
  readonly #sets = new Map<unknown, ReadonlySet<string>>();

  constructor(root: unknown, keywords: ReadonlyMap<string, Keyword>, isTurnOver: () => boolean) {
    this.root = root;
    this.#keywords = keywords;
    this.#isTurnOver = isTurnOver;
  }

  /** Holds a value to a schema, and notes what is wrong with it; false once no more flaws are wanted. */
  hold(schema: unknown, value: unknown, at: Pointer): boolean {
    this.spend(1);
    if (schema === false) return this.note(at, () => 'is excluded');
    if (!isJsonObject(schema)) return true;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new EndlessCheck();
    for (const name of Object.keys(schema)) {
      if (this.#flawsWanted === 0) break;
      this.spend(1);
      this.#keywords.get(name)?.(schema[name], { schema, value, at }, this);
    }
    this.#depth -= 1;
    return this.#flawsWanted > 0;
  }

  /** True if a value fits a schema; no reason is told. */
  fits(schema: unknown, value: unknown): boolean {
    const wanted = this.#flawsWanted;
    this.#flawsWanted = 1;
    const fits = this.hold(schema, value, undefined);
    this.#flawsWanted = wanted;
    return fits;
  }

  /** Notes a flaw, put into words only where it is told; false once no more are wanted. */
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

  /** Counts work, in comparisons, before it is done; throws where there is to be no more of it. */
  readonly spend = (steps: number): void => {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft >= this.#looksAt) return;
    this.#looksAt = Math.max(0, this.#stepsLeft - STEPS_A_LOOK);
    if (this.#stepsLeft < 0 || this.#isTurnOver()) throw new EndlessCheck();
  };

  /** Compares a value with those in the argument of a keyword, of which canonical texts are made once. */
  isOneOf(values: readonly unknown[], value: unknown, argument: unknown): boolean {
    const known = this.#sets.get(argument) ?? new Set(values.map((each) => canonicalJson(each, this.spend)));
    this.#sets.set(argument, known);
    return known.has(canonicalJson(value, this.spend));
  }
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
}
