import { type CheckName, type CheckResult, flawsIn, runChecks } from '../../checks/answer-checks';
import { readAnswer } from '../../form/answer-form';
import type { HeadStart, Run } from '../../run';
import { comparison } from './comparison';
import type { FirstDrafts } from './first-drafts';

/** An answer that needs no panel. */
export interface Settled {
  readonly text: string;
  readonly checks?: readonly CheckResult[];
  /** Reason for asking nobody else, in words for people. */
  readonly why: string;
}

/** A draft as it would go out, and how it stands to the caller's form and checks. */
interface Measured {
  readonly text: string;
  readonly isInForm: boolean;
  readonly results: readonly CheckResult[];
}

/** Checks that a wrong answer may well fail; nearly every draft has few words and the right language. */
const TELLING: ReadonlySet<CheckName> = new Set(['regex', 'jsonSchema']);

/**
 * The arbiter's draft where that is enough: a second one states the same, or both pass a telling check, or the draft says
 * so itself and nothing contradicts it. Undefined where the panel is needed.
 */
export async function settled(run: Run, drafted: FirstDrafts): Promise<Settled | undefined> {
  const { first, isRead, isEnough, drafts } = drafted;
  if (!first) return undefined;
  const alone = `${first.seat.label} answered alone: it saw no need for a panel.`;
  if (isRead) return { text: first.text, why: alone };
  const own = await measured(run, first);
  if (!own.isInForm || flawsIn(own.results).length > 0) return undefined;
  const second = drafts.find(({ seat, text, isCut }) => seat !== first.seat && text !== '' && !isCut && !first.isCut);
  const other = second && (await measured(run, second));
  const compared = other ? comparison([own.text, other.text], run.request) : 'open';
  if (compared === 'different') return undefined;
  const both = `${first.seat.label} and ${second?.seat.label}`;
  const reasons: readonly (readonly [holds: boolean, why: string])[] = [
    [compared === 'same', `${both} gave the same answer, each by itself: nobody else was asked.`],
    [[own, other].every(passes), `The drafts of ${both} pass the checks: nobody else was asked.`],
    [isEnough, alone],
  ];
  const why = reasons.find(([holds]) => holds)?.[1];
  return why === undefined ? undefined : { text: own.text, ...(run.request.checks && { checks: own.results }), why };
}

async function measured({ request, scope }: Run, { text: draft }: HeadStart): Promise<Measured> {
  const { answerForm: form, checks } = request;
  const { text, flaws, givenUp } = form ? readAnswer(draft, form) : { text: draft, flaws: [], givenUp: false };
  const results = checks ? await runChecks(checks, text, scope.inTurn) : [];
  return { text, isInForm: flaws.length === 0 && !givenUp, results };
}

/** True where every check holds, one of them telling. */
function passes(measure: Measured | undefined): boolean {
  if (!measure?.isInForm) return false;
  const { results } = measure;
  return results.every(({ passed }) => passed) && results.some(({ check }) => TELLING.has(check));
}
