import { type OutputSchema, strictObject } from '../../../models/model';
import { itemsOf, listInReply } from '../../../prompting/json-in-reply';
import { labelInText } from '../../../prompting/label-in-text';
import { foundNothing } from '../../../prompting/remarks';

export const FINDINGS_MAX = 8;

export interface Finding {
  /** Label of the answer it concerns; undefined: all of them. */
  readonly target: string | undefined;
  /** Only the first two are worth another round. */
  readonly severity: 'critical' | 'major' | 'minor';
  readonly text: string;
}

export interface Attack {
  readonly findings: readonly Finding[];
  /** It would not look: counted as having found nothing, and said. */
  readonly refused: boolean;
  /** True where findings carry severities of the attacker's own, so that their sum means something. */
  readonly graded: boolean;
}

const TEXT = { type: 'string' };

/** A report for providers that can hold a model to it. A finding about all answers has an empty target there. */
export const ATTACK_SCHEMA: OutputSchema = {
  name: 'findings',
  schema: strictObject({
    findings: {
      type: 'array',
      items: strictObject({
        target: TEXT,
        quote: TEXT,
        severity: { ...TEXT, enum: ['critical', 'major', 'minor'] },
        why: TEXT,
        fix: TEXT,
      }),
    },
  }),
};

const REFUSAL =
  /^\W*(?:(?:i['’]?m|i am) (?:very |really |so )?(?:sorry|unable|not able)|sorry\b|i (?:can(?:no|['’])t|won['’]t|must decline|will not)|unfortunately, i (?:can|am)|as an ai\b|i apologi[sz]e|es tut mir leid|je suis désolé|lo siento|mi dispiace|desculpe|抱歉|很抱歉|对不起|申し訳|죄송)/i;
const SMALL = /^(?:minor|low|trivial|nit(?:pick)?|cosmetic)\b/;

/** Reads a report from a reply. Prose is a critique too, unless it is a refusal: one major finding about all. */
export function parseAttack(reply: string): Attack {
  const listed = listInReply(reply, { list: 'findings', items: ['why', 'fix'] })?.['findings'];
  const items = itemsOf(listed, ['target', 'quote', 'severity', 'why', 'fix'], 'why');
  if (items) {
    const findings = items.map(({ target, quote, severity, why, fix }) => ({
      target: labelInText(target),
      severity: severityOf(severity),
      text: [quote && `“${quote}”`, why, fix && `Fix: ${fix}`].filter((part) => part !== '').join(' — '),
    }));
    return {
      findings: findings.filter(({ text }) => text !== '').slice(0, FINDINGS_MAX),
      refused: false,
      graded: true,
    };
  }
  if (foundNothing(reply)) return { findings: [], refused: false, graded: true };
  if (REFUSAL.test(reply)) return { findings: [], refused: true, graded: false };
  return { findings: [{ target: undefined, severity: 'major', text: reply.trim() }], refused: false, graded: false };
}

/** A word of its own counts as major: better one correction too many. */
function severityOf(word: string): Finding['severity'] {
  const plain = word
    .slice(0, 40)
    .toLowerCase()
    .replace(/[*_`"“”]+/g, '')
    .trim();
  if (plain === 'critical') return 'critical';
  return SMALL.test(plain) ? 'minor' : 'major';
}
