import { ANSWER_LINE } from '../../prompting/answer-line';
import { saysUnchanged } from '../../prompting/remarks';
import { readStatusLines, type StatusKey, type StatusLines } from '../../prompting/status-lines';
import type { Run } from '../run';
import { type Contributor, replaceText } from './contributors';

/** A reply to a model that was asked to check its own text. */
export interface Revision extends StatusLines {
  /** The new text; empty where the former one stands. */
  readonly text: string;
  /** The error or gap that the model names; empty where it names none. */
  readonly reason: string;
}

/** "Kept" in the languages of most users: models translate the word although they are asked not to. */
const KEPT = new RegExp(
  `^[^\\p{L}]*(?:${[
    'kept|keep|unchanged|none|no changes?|same|beibehalten|behalten|unverändert|keine|behouden|ongewijzigd|inchang',
    'conserv|maint|gardé|aucun|manten|mantid|sin cambios|inalterad|invariat|nessun|zachowan|bez zmian|сохран|оставлен',
    'без изменений|korun|değişmedi|değişiklik yok|محفوظ|دون تغيير|बरकरार|अपरिवर्तित|保留|保持|不变|维持|維持|変更なし|そのまま|유지|변경 없음',
  ].join('|')})`,
  'iu',
);
/** One short line `WORD: …`, in any script: the status line in the language of the message. */
const STATUS_ALONE = /^[\s*_`>#"'“”/-]{0,12}([\p{L}\p{M}]{2,30})[\s*_`"'”]{0,6}[:：](?!\/\/)[^\n]{1,200}$/u;
const REASON = /^[^\p{L}]*[\p{L}\p{M}]+[\s*_`"'([（:,–—-]*(.*?)[\s*_`"'）)\].]*$/u;
const REASON_CHARACTERS_MAX = 200;
/** A text that follows the reason on the same line. */
const RUN_ON = /^[^\p{L}(]{0,8}[\p{L}\p{M}]{1,30}\s?\([^()]{0,400}\)[*_`]{0,4}[.;:]?\s+(\S.*)$/u;

/** Reads a reply to "check your text": status lines are no text, and a former text that is repeated is kept. */
export function readRevision(reply: string, former: string, keys: readonly StatusKey[] = []): Revision {
  if (former === '') return { text: reply.trim(), said: {}, reason: '' };
  const { text: below, said } = readStatusLines(reply, ['REVISION', ...keys]);
  const { REVISION: word = '' } = said;
  const text = below === '' ? (RUN_ON.exec(word)?.[1] ?? '') : below;
  const isKept = KEPT.test(word) || isStatusAlone(text, former) || saysUnchanged(text) || isSame(text, former);
  if (isKept || text === '') return { text: '', said, reason: '' };
  const reason = REASON.exec(word.slice(0, REASON_CHARACTERS_MAX))?.[1] ?? '';
  return { text, said, reason: reason.toWellFormed() };
}

/** Reads a contributor's reply, and gives it the text that the reply holds, if that is another. */
export function revise<C extends Contributor>(
  run: Run,
  { contributor, text: reply }: { readonly contributor: C; readonly text: string },
  keys: readonly StatusKey[] = [],
): Revision & { readonly contributor: C } {
  const revision = readRevision(reply, contributor.text, keys);
  replaceText(run, contributor, revision.text);
  if (revision.reason !== '') contributor.changed = run.mask(revision.reason);
  return { contributor, ...revision };
}

/** A line that states the answer is a text; so is one that begins with a word as the former text does. */
function isStatusAlone(text: string, former: string): boolean {
  const word = STATUS_ALONE.exec(text)?.[1];
  return word !== undefined && !ANSWER_LINE.test(text) && word !== STATUS_ALONE.exec(former)?.[1];
}

function isSame(text: string, former: string): boolean {
  return text.replace(/\s+/g, ' ') === former.trim().replace(/\s+/g, ' ');
}
