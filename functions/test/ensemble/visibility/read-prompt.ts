import type { ModelPrompt } from '../../../src/models/model';
import { type Fence, nonceOf, readFenced } from '../injection/fenced-prompt';

/** A prompt taken apart: texts of others between fences, and our own words around them. */
export interface ReadPrompt {
  readonly fenced: readonly Fence[];
  /** The caller's instructions where they are quoted to a judge, also between fences. */
  readonly requirements: readonly string[];
  /** The tokens in the text that is marked as the reader's own, sorted. */
  readonly own: readonly string[];
  /** Every other token, sorted, as often as it is shown; the title of a fence counts once. */
  readonly others: readonly string[];
  /** Everything outside fences and their titles. */
  readonly frame: string;
  /** Every fence that does not hold. */
  readonly escapes: readonly string[];
}

/** Title of the reader's own text. */
export const OWN_TITLE = 'yours';

/** Title of the caller's quoted instructions. */
const REQUIREMENTS_TITLE = 'requirements';

/** Reads all turns of a prompt as one text. */
export function readPrompt({ turns }: ModelPrompt): ReadPrompt {
  const text = turns.map((turn) => turn.text).join('\n');
  const nonce = nonceOf(text);
  const unfenced = { words: text, fences: [], escapes: [] };
  const { words: frame, fences, escapes } = nonce === undefined ? unfenced : readFenced(text, nonce);
  const fenced = fences.filter(({ title }) => title !== REQUIREMENTS_TITLE);
  const requirements = fences.filter((fence) => !fenced.includes(fence));
  const own = fenced.filter(({ title }) => title === OWN_TITLE);
  const others = fenced.filter(({ title }) => title !== OWN_TITLE);
  const shown = others.map((other) => `${other.title}\n${other.text}`);
  return {
    fenced,
    requirements: requirements.map((quoted) => quoted.text),
    own: tokensIn(own.map((mine) => mine.text).join('\n')),
    others: tokensIn([frame, ...shown].join('\n')),
    frame,
    escapes,
  };
}

/** The tokens of a text, sorted, as often as they occur: `~ash.draft.1~` is `ash.draft.1`. */
export function tokensIn(text: string): string[] {
  return [...text.matchAll(/~([a-z0-9._]+)~/g)].map(([, token]) => token ?? '').sort();
}
