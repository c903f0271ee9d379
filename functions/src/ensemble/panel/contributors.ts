import { type Labelled, labelShuffled } from '../../prompting/blind-labels';
import type { Run } from '../run';
import type { Seat } from './panel';

/** A text with its author. */
export interface Authored {
  readonly seat: Seat;
  readonly text: string;
  /** The part its author had in the strategy, where it had one. */
  readonly part?: string;
  /** Set where the text is cut off, or may be. */
  readonly isCut?: boolean;
}

/** A participant in play, with its last text. One that fails keeps it; after two failures it is not asked again. */
export interface Contributor extends Authored {
  text: string;
  isCut?: boolean;
  /** The error or gap for which its text was last changed, in its own words, without names of models. */
  changed?: string;
  /** True if its text is another since it was last asked to revise; absent where it was not. */
  lastRevision?: 'kept' | 'changed';
  failures: number;
}

const FAILURES_MAX = 2;

/** Those still worth asking. */
export function activeContributors<C extends Contributor>(contributors: readonly C[]): C[] {
  return contributors.filter(({ failures }) => failures < FAILURES_MAX);
}

/** Texts that their authors stand for from here on: others are shown them. Returns the same ones. */
export function stand<T extends Authored>({ observer }: Run, items: readonly T[]): readonly T[] {
  for (const { seat, text, part } of items) observer?.standing(seat.id, { text, part });
  return items;
}

/** Gives a contributor a new text. An empty one leaves the old, for which it still stands. */
export function replaceText({ observer }: Run, contributor: Contributor, text: string): void {
  const { seat, part, text: former } = contributor;
  const isKept = text === '' || text === former;
  contributor.lastRevision = isKept ? 'kept' : 'changed';
  // Only a whole text replaces another.
  if (text !== '' && former !== '') contributor.isCut = false;
  contributor.text = text || former;
  observer?.standing(seat.id, { text: contributor.text, part, kept: isKept ? true : undefined });
}

/** Texts as the arbiter reads them before the answer. */
export const FINAL = { reader: 'arbiter', step: 'final' };

/** Texts as one reader is shown them in one step: without names of models, in an order of its own, labelled A, B, … */
export function anonymous<T extends Authored>(
  run: Run,
  items: readonly T[],
  { reader, step } = FINAL,
): (T & Labelled)[] {
  const masked = items.map((item) => ({ ...item, text: shownText(run, item) }));
  return labelShuffled(masked, { requestId: run.id, reader, step });
}

/** A text as another model reads it: masked, with the pages its author found, and a mark where it is cut off. */
export function shownText(run: Run, { seat, text, isCut }: Authored): string {
  const masked = run.mask(text) + (isCut ? CUT_MARK : '');
  return run.web ? run.web.withSources(seat, masked) : masked;
}

const CUT_MARK = '\n\n[The text breaks off here; its end is missing.]';

/** Names for people of the labels of one reader's texts. */
export function namesOf(labelled: readonly (Labelled & Authored)[]): Map<string, string> {
  return new Map(labelled.map(({ label, seat }) => [label, seat.label]));
}

/** Seats by the length of their texts. */
export function longestFirst(items: readonly Authored[]): Seat[] {
  return items.toSorted((a, b) => b.text.length - a.text.length).map(({ seat }) => seat);
}

/** The same seats; those whose text is cut off come last. */
export function wholeFirst(seats: readonly Seat[], items: readonly Authored[]): Seat[] {
  const cut = new Set(items.filter(({ isCut }) => isCut).map(({ seat }) => seat));
  return seats.toSorted((a, b) => Number(cut.has(a)) - Number(cut.has(b)));
}
