import { type OutputSchema, strictObject } from '../../../models/model';
import { itemsOf, listInReply } from '../../../prompting/json-in-reply';
import { labelInText } from '../../../prompting/label-in-text';
import { foundNothing } from '../../../prompting/remarks';

/** Most findings that one attacker may report in a round. */
export const FINDINGS_MAX = 8;

/** Severity of a finding; only the first two are worth another round. */
export type Severity = 'critical' | 'major' | 'minor';

/** Something an attacker found in an answer. */
export interface Finding {
  /** The label of the answer it concerns; undefined: all of them. */
  readonly target: string | undefined;
  readonly severity: Severity;
  /** Description for the author and the arbiter. */
  readonly text: string;
}

/** A finding, and whose it is. */
export interface FindingOfSeat extends Finding {
  readonly by: string;
}

/** An attacker's report. */
export interface Attack {
  readonly findings: readonly Finding[];
  /** It would not look: counted as having found nothing, and said. */
  readonly refused: boolean;
  /** True where findings carry severities of the attacker's own, so that their sum means something. */
  readonly graded: boolean;
}

/** Weights of findings when rounds are compared. */
const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = { critical: 4, major: 2, minor: 1 };

/** A finding as its author's answer and the arbiter are shown it. */
export function findingText({ severity, text }: Finding): string {
  return `${severity}: ${text}`;
}

/** Weight of findings together. */
export function weightOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { severity }) => sum + SEVERITY_WEIGHT[severity], 0);
}

/** A report for providers that can hold a model to it. A finding about all answers has an empty target there. */
export const ATTACK_SCHEMA: OutputSchema = {
  name: 'findings',
  schema: strictObject({
    findings: {
      type: 'array',
      items: strictObject({
        target: { type: 'string' },
        quote: { type: 'string' },
        severity: { type: 'string', enum: ['critical', 'major', 'minor'] },
        why: { type: 'string' },
        fix: { type: 'string' },
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
    const findings = items.map(findingOf).filter(({ text }) => text !== '');
    return { findings: findings.slice(0, FINDINGS_MAX), refused: false, graded: true };
  }
  if (foundNothing(reply)) return { findings: [], refused: false, graded: true };
  if (REFUSAL.test(reply)) return { findings: [], refused: true, graded: false };
  return { findings: [{ target: undefined, severity: 'major', text: reply.trim() }], refused: false, graded: false };
}

function findingOf({
  target,
  quote,
  severity,
  why,
  fix,
}: Readonly<Record<'target' | 'quote' | 'severity' | 'why' | 'fix', string>>): Finding {
  const text = [quote && `“${quote}”`, why, fix && `Fix: ${fix}`].filter((part) => part !== '').join(' — ');
  return { target: labelInText(target), severity: severityOf(severity), text };
}

/** A word of its own counts as major: better one correction too many. */
function severityOf(word: string): Severity {
  const plain = word
    .slice(0, 40)
    .toLowerCase()
    .replace(/[*_`"“”]+/g, '')
    .trim();
  if (plain === 'critical') return 'critical';
  return SMALL.test(plain) ? 'minor' : 'major';
}
