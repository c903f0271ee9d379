import { diffWordsWithSpace } from 'diff';

/** A piece of two texts: in both, only in the new one, or only in the old one. */
export interface Change {
  readonly text: string;
  readonly is: 'same' | 'added' | 'removed';
}

/** What differs more than this is another text, and takes long to be compared. */
const EDITS_MAX = 3_000;

/** What became of the words of a text; undefined: too much has changed to be shown. */
export function wordChanges(before: string, after: string): readonly Change[] | undefined {
  return diffWordsWithSpace(before, after, { maxEditLength: EDITS_MAX })?.map(({ value, added, removed }) => ({
    text: value,
    is: added ? 'added' : removed ? 'removed' : 'same',
  }));
}
