import { isJsonObject } from '../../prompting/json-schema/canonical-json';
import { pointerTo } from '../../prompting/json-schema/json-pointer';
import { jsonIn } from './read-answer';

/** Of an answer with more single values than this, the first are told; and of long names no more than so much. */
const POINTERS_MAX = 1_000;
const POINTER_CHARACTERS_MAX = 100_000;
/** Shares are told to four decimals. */
const PRECISION = 10_000;

/** By JSON pointer, the share of candidates (0 to 1) that say the same as the answer there. */
export type Agreement = Readonly<Record<string, number>>;

/**
 * How far candidates agree with an answer, for each single value in it: a text, number, boolean, null, or an empty list
 * or object. A candidate in which no JSON is found says something else everywhere. Undefined without an answer in JSON or
 * without candidates.
 */
export function agreementOf(answer: string, candidates: readonly string[]): Agreement | undefined {
  const found = jsonIn(answer);
  if (!found || candidates.length === 0) return undefined;
  const others = candidates.map((text) => jsonIn(text)?.value);
  const shares = firstLeaves(found.value).map(({ pointer, path, json }): [string, number] => {
    const same = others.filter((value) => leafJson(valueAt(value, path)) === json).length;
    return [pointer, Math.round((same / candidates.length) * PRECISION) / PRECISION];
  });
  return Object.fromEntries(shares);
}

type Path = readonly (string | number)[];

/** A single value in a value. */
interface Leaf {
  readonly pointer: string;
  readonly path: Path;
  readonly json: string;
}

/** As many of the single values as are told, in the order of the text. */
function firstLeaves(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  let characters = 0;
  for (const leaf of leavesOf(value, '', [])) {
    characters += leaf.pointer.length;
    if (leaves.length >= POINTERS_MAX || characters > POINTER_CHARACTERS_MAX) break;
    leaves.push(leaf);
  }
  return leaves;
}

function* leavesOf(value: unknown, pointer: string, path: Path): Generator<Leaf> {
  const json = leafJson(value);
  if (json !== undefined) yield { pointer, path, json };
  for (const [step, inner] of entriesOf(value)) yield* leavesOf(inner, pointerTo(pointer, step), [...path, step]);
}

/** A single value as JSON; undefined for what holds others, and for nothing. */
function leafJson(value: unknown): string | undefined {
  return value === undefined || entriesOf(value).length > 0 ? undefined : JSON.stringify(value);
}

function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((held, step) => {
    if (typeof held !== 'object' || held === null || Array.isArray(held) !== (typeof step === 'number'))
      return undefined;
    return Object.hasOwn(held, step) ? (held as Readonly<Record<string, unknown>>)[step] : undefined;
  }, value);
}
