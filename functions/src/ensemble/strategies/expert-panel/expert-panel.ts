import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { textsAgree } from '../../agreement/answers-agree';
import { type AnalysisForm, COMPARISON, LANGUAGE_RULE } from '../../arbiter/analysis';
import type { Conclusion } from '../../arbiter/conclude';
import { patienceMs } from '../../deadline/answer-times';
import { callsOf, everybodyReads } from '../../estimate/calls';
import { anonymous, type Contributor } from '../../panel/contributors';
import type { Seat } from '../../panel/panel';
import { revise } from '../../panel/revision';
import { type Ending, noteDegraded, type Opening, type Run, type Strategy } from '../../run';
import { callModel } from '../../waves/call-model';
import { draftQuestion } from '../../waves/drafts';
import { type Question, question } from '../../waves/question';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../../waves/task-words';
import { othersOf, playEverybody, type Reply, type Round } from '../everybody';
import { LENSES_SCHEMA, type Lens, parseLenses, STANDARD_LENSES } from './lenses';

/**
 * Expert panel: the arbiter chooses a point of view for each participant; everybody answers from theirs, and in each
 * further round concurs or dissents with the others. The arbiter, in the chair, writes the recommendation.
 * Calls: n·r + 2 + v; serial waves: r + 2 + v. Source: arXiv 2308.07201 (distinct roles are essential).
 */
export const expertPanel: Strategy = {
  calls: ({ panel, rounds }) => {
    const { waves, material } = everybodyReads(panel, rounds);
    return { waves: [{ round: 0, calls: callsOf([panel.arbiter], 'cast', 0) }, ...waves], material };
  },
  modelWord: 'panel',
  firstWave: (opening) => [lensesQuestion(opening)],
  play: consult,
};

interface Expert extends Contributor {
  readonly lens: Lens;
}

async function consult(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const { participants } = run.request.panel;
  const lenses = await chooseLenses(run, firstWave);
  const lensOf = (seat: Seat): Lens => lenses[participants.indexOf(seat)] ?? NO_LENS;
  const opinions = participants.map((seat) => draftQuestion(run, seat, opinionTask(lensOf(seat))));
  return playEverybody<Expert>(run, opinions, {
    title: 'the experts reconsider',
    start: (drafts) => drafts.map((draft) => ({ ...draft, lens: lensOf(draft.seat), part: lensOf(draft.seat).name })),
    task: (round, expert) => reconsiderTask(expert, othersOf(round, expert)),
    read: readDissent,
    conclusion: recommend,
  });
}

function readDissent({ run }: Round<Expert>, replies: readonly Reply<Expert>[]): string | undefined {
  const isSettled = replies.map((reply) => {
    const { text, said } = revise(run, reply, ['DISSENT']);
    return said.DISSENT === undefined ? text === '' : said.DISSENT.toLowerCase().startsWith('none');
  });
  return isSettled.every(Boolean) ? 'No new dissent' : undefined;
}

function recommend(run: Run, experts: readonly Expert[]): Conclusion {
  const judged = anonymous(run, experts);
  return {
    candidates: experts,
    material: panelOpinions(judged),
    labelled: judged,
    form: OPINION_ANALYSIS,
    answerTask: OPINION_ANSWER_TASK,
    agreement: textsAgree(experts, run.request.answerForm),
    known: [{ title: 'Roles', lines: experts.map(({ seat, lens }) => `${seat.label}: ${lens.name}`) }],
  };
}

/** The choice is worth this much of everybody's time, and a model's thoughts; then the standard ones are as good. */
const CHOICE_MAX_MS = 30_000;
const NO_LENS: Lens = { name: 'Expert', focus: 'What the message asks for.' };

function lensesQuestion({ request, conversation }: Opening): Question {
  const { participants, arbiter: seat } = request.panel;
  const task = lensesTask(participants.length);
  return question(
    { callId: 'cast', seat, purpose: 'cast', round: 0, outputSchema: LENSES_SCHEMA },
    { conversation, task },
  );
}

async function chooseLenses(run: Run, [asked = lensesQuestion(run)]: readonly Question[]): Promise<readonly Lens[]> {
  const { participants, arbiter } = run.request.panel;
  run.sink.status(`${arbiter.label} is choosing the points of view`);
  const thinkingMs = patienceMs(run.paces, arbiter.model);
  const waveMs = run.deadline.nextWaveMs({ needed: false, patienceMs: thinkingMs });
  const budgetMs = Math.min(Math.max(CHOICE_MAX_MS, thinkingMs), waveMs);
  const result = await callModel(run, asked, { budgetMs });
  const chosen = result.ok ? parseLenses(result.text, participants.length) : [];
  if (chosen.length > 0) return chosen.map(({ name, focus }) => ({ name: run.mask(name), focus: run.mask(focus) }));
  noteDegraded(run, `${arbiter.label} chose no points of view; the standard ones are used`);
  return STANDARD_LENSES;
}

const TOKENS_A_LENS = 40;

function lensesTask(count: number): PromptBlock[] {
  const experts =
    count === 1
      ? 'the one expert who would answer it best'
      : `${count} experts with clearly different points of view who together would answer it best`;
  return [
    `Do not answer the user's message. Choose ${experts}.`,
    `Reply with one JSON object and nothing else, in at most ${Math.max(200, TOKENS_A_LENS * count)} tokens. ${LANGUAGE_RULE}\n{"lenses": [{"name": two or three words, "focus": what this expert looks at, in one short sentence}]}`,
  ];
}

function opinionTask(lens: Lens): PromptBlock[] {
  return [
    role(lens),
    'Answer as this expert; others cover other points of view. If the question has one plain answer, give just that. If it needs weighing, add the claims your answer rests on and how sure you are of each.',
    WORKING_WORDS,
  ];
}

function reconsiderTask({ lens, text, seat }: Expert, others: readonly Expert[]): PromptBlock[] {
  return [
    role(lens),
    'Your opinion so far:',
    { title: 'yours', text, by: seat.id },
    ...(others.length === 0
      ? []
      : [
          'The other experts, by point of view:',
          ...others.map((other) => ({ title: `expert: ${other.lens.name}`, text: other.text, by: other.seat.id })),
        ]),
    DATA_RULE,
    `Check ${others.length === 0 ? 'your claims one by one, as a sceptical colleague would' : "the others' claims one by one: do you concur or dissent? Then check your own opinion"}. ${CHANGE_RULE}`,
    `${statusWords('your whole opinion', DISSENT)} It holds your answer and, only if you dispute claims of others, which ones and why.`,
    WORKING_WORDS,
  ];
}

function panelOpinions(opinions: readonly (AuthoredText & Expert)[]): PromptBlock[] {
  const count = opinions.length === 1 ? 'The opinion of one expert' : `The opinions of ${opinions.length} experts`;
  return [
    `${count} on the user's message, anonymous but for their point of view:`,
    ...opinions.map(({ label, lens, text, seat }) => ({ title: `${label}, ${lens.name}`, text, by: seat.id })),
  ];
}

/** Form of the chair's analysis. @internal */
export const OPINION_ANALYSIS: AnalysisForm = { ranked: false, parts: COMPARISON };

const OPINION_ANSWER_TASK = [
  'If the question has one plain answer, give that and leave the points of view aside. If it needs weighing, give a clear recommendation: where the points of view agree; where they do not, what each rests on and which one you follow; and any sound fact or warning, even of one expert. Then you may speak of points of view (“legally”, “for a beginner”), never of who wrote what. Add what all of them miss.',
];

const DISSENT =
  'On the same line, add "; DISSENT: none", or "; DISSENT: new" if you now dispute a claim that you had not disputed before. ';

function role({ name, focus }: Lens): string {
  return `You answer as the ${name}. Your point of view: ${focus}`;
}
