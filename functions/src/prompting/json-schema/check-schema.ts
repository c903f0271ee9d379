/*
 * JSON Schema, checked: a value against a schema that a caller has sent. The schema is walked and never compiled, nothing
 * of it is run, and the work has an end: `pattern` and `format` are not looked at, references only within the schema.
 */
import { canonicalJson, isJsonObject } from './canonical-json';
import type { Walk } from './keyword';
import { KEYWORDS } from './keywords';

/** How a value stands to a schema. */
export interface SchemaVerdict {
  /** What is wrong with it, in words, the first few; none where it fits. */
  readonly flaws: readonly string[];
  /** Whether the check was given up: with a schema that branches and loops it may have no end. */
  readonly givenUp: boolean;
}

/** Some hundredths of a second: in that time nobody else is served. */
const STEPS_MAX = 100_000;
/** Schemas within schemas, references followed: a loop never comes to an end. */
const DEPTH_MAX = 256;
const FLAWS_MAX = 5;
const PLACE_CHARACTERS_MAX = 120;
const RULE_CHARACTERS_MAX = 200;

/** Thrown out of a walk that takes too long. */
class EndlessCheck extends Error {}

/** Holds a value of JSON to a JSON Schema (2020-12; `definitions` and lists of `items` too). Never throws. */
export function checkSchema(schema: unknown, value: unknown): SchemaVerdict {
  const walk = new SchemaWalk(schema);
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
  flaws: string[] = [];
  #stepsLeft = STEPS_MAX;
  #depth = 0;
  readonly #sets = new Map<readonly unknown[], ReadonlySet<string>>();

  constructor(root: unknown) {
    this.root = root;
  }

  hold(schema: unknown, value: unknown, at: string): void {
    this.spend(1);
    if (schema === false) this.note(at, 'is excluded');
    if (!isJsonObject(schema) || this.flaws.length >= FLAWS_MAX) return;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new EndlessCheck();
    for (const name of Object.keys(schema)) {
      this.spend(1);
      KEYWORDS.get(name)?.(schema[name], { schema, value, at }, this);
    }
    this.#depth -= 1;
  }

  fits(schema: unknown, value: unknown): boolean {
    const { flaws } = this;
    this.flaws = [];
    this.hold(schema, value, '');
    const fits = this.flaws.length === 0;
    this.flaws = flaws;
    return fits;
  }

  note(at: string, rule: string): void {
    if (this.flaws.length < FLAWS_MAX) this.flaws.push(`${placeName(at)} ${cut(rule, RULE_CHARACTERS_MAX)}`);
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new EndlessCheck();
  }

  canonicalSet(list: readonly unknown[]): ReadonlySet<string> {
    const known = this.#sets.get(list) ?? new Set(list.map(canonicalJson));
    this.#sets.set(list, known);
    return known;
  }
}

function placeName(at: string): string {
  return at === '' ? 'the value' : cut(at, PLACE_CHARACTERS_MAX);
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
}
