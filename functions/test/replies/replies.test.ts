import { parseAnalysis } from '../../src/ensemble/arbiter/analysis';
import { parseFollowUps } from '../../src/ensemble/arbiter/ending';
import { readRevision } from '../../src/ensemble/panel/revision';
import { parseChain } from '../../src/ensemble/strategies/chain-of-thought/chain';
import { parseLenses } from '../../src/ensemble/strategies/expert-panel/lenses';
import { parseWorkPlan, parseWorkReview } from '../../src/ensemble/strategies/hierarchical/replies';
import { parseAttack } from '../../src/ensemble/strategies/red-team-blue-team/findings';
import { readVerdict, type Verdict } from '../../src/evaluation/verdict';
import { normalisedAnswer } from '../../src/prompting/answer-line';
import { labelsInLine } from '../../src/prompting/label-in-text';
import { ANALYSES, ATTACKS, CASTS, FOLLOW_UPS, PLANS, REVIEWS } from './json-replies';
import { ANSWER_PAIRS, CHAINS, DEFENCES, REVISIONS, TRAILERS } from './line-replies';
import type { ReplyRow } from './reply-shapes';
import {
  NO_ANALYSES,
  NO_CASTS,
  NO_CHAINS,
  NO_PLANS,
  PROSE_ATTACKS,
  PROSE_REVIEWS,
  TEXTS_ALONE,
} from './small-model-replies';
import { type ScoresByLabel, VERDICTS } from './verdict-replies';

/** Every reader of replies makes of each what its table says. */

const ROWS_MIN = 120;
/** The text that a reply is to check. */
const FORMER = 'The former text.';
const FORM = {
  ranked: true,
  parts: [
    { key: 'agreements', title: 'Agreed', ask: 'points all share' },
    { key: 'dissent', title: 'Dissent', ask: 'minority views' },
  ],
};

/** Texts that a small model has written without the last line that was asked for. */
const bare = <T>(means: (text: string) => T): ReplyRow<T>[] =>
  TEXTS_ALONE.map((reply) => ({ reply, means: means(reply) }));

const TABLES: readonly (readonly [string, readonly ReplyRow<unknown>[], (reply: string) => unknown])[] = [
  ['a plan', [...PLANS, ...NO_PLANS], (reply) => workOf(parseWorkPlan(reply, 2))],
  ['a review', [...REVIEWS, ...PROSE_REVIEWS], parseWorkReview],
  ['a report of the red team', [...ATTACKS, ...PROSE_ATTACKS], parseAttack],
  ['a choice of points of view', [...CASTS, ...NO_CASTS], (reply) => parseLenses(reply, 2)],
  ['an analysis', [...ANALYSES, ...NO_ANALYSES], (reply) => readingOf(parseAnalysis(reply, FORM))],
  ['follow-up messages', FOLLOW_UPS, (reply) => parseFollowUps(reply) ?? null],
  ['a stance', [...TRAILERS, ...bare((text) => ({ text, word: undefined }))], stanceOf],
  ['a revision with its ballot', [...REVISIONS, ...bare((text) => ({ text, ranking: [] }))], revisionOf],
  ['the end of a chain', [...CHAINS, ...NO_CHAINS], (reply) => endOf(parseChain(reply, FORMER))],
  ['a defence', [...DEFENCES, ...bare((text) => ({ text, responses: '' }))], defenceOf],
  ['a verdict', VERDICTS, (reply) => scoresIn(readVerdict(reply, [{ label: 'KQXB' }, { label: 'BDFG' }]))],
];

describe.each(TABLES)('%s', (_, rows, read) => {
  it('has a table', () => expect(rows.length).toBeGreaterThanOrEqual(ROWS_MIN));

  it.each(rows)('reply %#', ({ reply, means }) => expect(read(reply)).toEqual(means));
});

describe('final answers', () => {
  it('have a table', () => expect(ANSWER_PAIRS.length).toBeGreaterThanOrEqual(ROWS_MIN));

  it.each(ANSWER_PAIRS)('%j and %j are the same: %j', (one, other, same) =>
    expect(normalisedAnswer(one) === normalisedAnswer(other)).toBe(same),
  );
});

function readingOf(analysis: ReturnType<typeof parseAnalysis>) {
  if (analysis === undefined) return null;
  const { items: _, ...reading } = analysis;
  return reading;
}

function stanceOf(reply: string) {
  const { text, said } = readRevision(reply, FORMER, ['STANCE']);
  return { text, word: said.STANCE?.toLowerCase().replace(/\W+$/, '') };
}

function revisionOf(reply: string) {
  const { text, said } = readRevision(reply, FORMER, ['BALLOT']);
  return { text, ranking: labelsInLine(said.BALLOT ?? '') };
}

function defenceOf(reply: string) {
  const { text, said } = readRevision(reply, FORMER, ['FINDING']);
  return { text, responses: said.FINDING ?? '' };
}

function scoresIn({ findings }: Verdict): ScoresByLabel {
  return Object.fromEntries([...findings].map(([label, { scores }]) => [label, scores]));
}

function workOf(plan: ReturnType<typeof parseWorkPlan>) {
  return plan === undefined ? null : { items: plan.items, checks: plan.checks };
}

function endOf({ answer, check }: ReturnType<typeof parseChain>) {
  return { answer, check };
}
