import type { ModelPrompt } from '../../src/models/model';

/** A text shown between fences. */
export interface Fenced {
  readonly title: string;
  readonly text: string;
}

/** A prompt taken apart: texts of others between fences, and our own words around them. */
export interface ReadPrompt {
  readonly fenced: readonly Fenced[];
  /** The tokens in the text that is marked as the reader's own, sorted. */
  readonly own: readonly string[];
  /** Every other token, sorted, as often as it is shown; the title of a fence counts once. */
  readonly others: readonly string[];
  /** Everything outside fences and their titles. */
  readonly frame: string;
}

/** What marks the reader's own text. */
export const OWN_TITLE = 'yours';
const FENCED = /<<([0-9a-f]{16}) ([^\n]*?)>>\n([\s\S]*?)\n<<\1 end \2>>/g;

/** Reads all turns of a prompt as one text. */
export function readPrompt({ turns }: ModelPrompt): ReadPrompt {
  const text = turns.map((turn) => turn.text).join('\n');
  const fenced: Fenced[] = [];
  const frame = text.replace(FENCED, (_, _nonce, title: string, shown: string) => {
    fenced.push({ title, text: shown });
    return '<fenced>';
  });
  const own = fenced.filter(({ title }) => title === OWN_TITLE);
  const others = fenced.filter(({ title }) => title !== OWN_TITLE);
  const shown = others.map((other) => `${other.title}\n${other.text}`);
  return {
    fenced,
    own: tokensIn(own.map((mine) => mine.text).join('\n')),
    others: tokensIn([frame, ...shown].join('\n')),
    frame,
  };
}

/** The tokens of a text, sorted, as often as they occur: `~ash.draft.1~` is `ash.draft.1`. */
export function tokensIn(text: string): string[] {
  return [...text.matchAll(/~([a-z0-9._]+)~/g)].map(([, token]) => token ?? '').sort();
}
