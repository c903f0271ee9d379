import { type AuthoredText, labelledText } from '../../prompting/blind-labels';
import { DATA_RULE } from '../../prompting/fence';
import { type PromptBlock, renderPrompt } from '../../prompting/prompt-draft';
import { revisionsAgree } from '../agreement/agreement';
import { textsAgree } from '../agreement/answers-agree';
import { type AnalysisForm, COMPARISON } from '../arbiter/analysis';
import type { Conclusion } from '../arbiter/conclude';
import { anonymous, type Contributor } from '../panel/contributors';
import { revise } from '../panel/revision';
import type { Run } from '../run';
import { withInstructions } from '../waves/question';
import { statusWords, WORKING_WORDS } from '../waves/task-words';
import { everybody, type Round } from './everybody';

/**
 * Collaborative synthesis, a mixture of agents: everybody contributes; in each further round everybody writes one answer
 * that unites all contributions. Calls: n·r + 1 + v; serial waves: r + 1 + v. Sources: arXiv 2406.04692, 2406.11776.
 */
export const collaborativeSynthesis = everybody<Contributor>(
  {
    title: 'uniting the contributions',
    start: (drafts) => drafts,
    task: integration,
    read: ({ run }, replies) =>
      replies.map((reply) => revise(run, reply)).every(({ text }) => text === '')
        ? 'Nothing was left to add'
        : undefined,
    conclusion: unite,
  },
  { direct: true, plainDrafts: true },
);

function unite(run: Run, contributors: readonly Contributor[]): Conclusion {
  const contributions = anonymous(run, contributors);
  return {
    candidates: contributors,
    material: pooledContributions(contributions),
    labelled: contributions,
    form: CONTRIBUTION_ANALYSIS,
    answerTask: CONTRIBUTION_ANSWER_TASK,
    agreement: textsAgree(contributors, run.request.answerForm) ?? revisionsAgree(contributors),
  };
}

/** A reader whose window cannot hold everything reads this many contributions, others in every round. */
const SPARSE = 6;

function integration(round: Round<Contributor>, reader: Contributor): readonly PromptBlock[] {
  const { run, contributors: pool } = round;
  const { seat } = reader;
  const taskWith = (shown: readonly Contributor[]) =>
    integrationTask(anonymous(run, shown, { reader: seat.id, step: `r${round.round}` }));
  const task = taskWith(pool);
  const promptDraft = withInstructions({ purpose: 'revise', seat }, { conversation: run.conversation, task });
  const fits = pool.length <= SPARSE || !renderPrompt(promptDraft, seat.model.contextTokens).cut;
  return fits ? task : taskWith(neighbours(round, reader));
}

/** The reader's own contribution and those of its next neighbours in a ring that turns with the rounds. */
function neighbours({ contributors: pool, round }: Round<Contributor>, reader: Contributor): Contributor[] {
  const own = pool.indexOf(reader);
  const others = [...pool.slice(own + 1), ...pool.slice(0, own)];
  const start = ((round - 2) * (SPARSE - 1)) % others.length;
  return [reader, ...others.slice(start), ...others.slice(0, start)].slice(0, SPARSE);
}

/** Claims of several are not therefore right, and those of one alone may be invented. */
const KEEP_RULE =
  'Keep what is right and what the user needs. A claim that only one contribution makes needs your own confirmation, above all a name, number, quotation, citation or API: otherwise leave it out, or say plainly that it is unconfirmed. Do not hedge what is certain.';

function integrationTask(contributions: readonly AuthoredText[]): PromptBlock[] {
  return [
    "Contributions to an answer to the user's message, in no particular order:",
    ...contributions.map(labelledText),
    DATA_RULE,
    `Unite them in one complete answer. ${KEEP_RULE} Where they contradict each other, reason out which is right. Correct what is wrong, and add what all of them miss.`,
    `${statusWords('the whole united answer')} Say "kept" if one contribution already is that answer.`,
    WORKING_WORDS,
  ];
}

function pooledContributions(contributions: readonly AuthoredText[]): PromptBlock[] {
  const count = contributions.length === 1 ? 'One contribution' : `${contributions.length} contributions`;
  return [`${count} to an answer to the user's message, by anonymous authors:`, ...contributions.map(labelledText)];
}

/** Form of the arbiter's analysis of contributions. @internal */
export const CONTRIBUTION_ANALYSIS: AnalysisForm = {
  ranked: false,
  parts: [
    { key: 'provenance', title: 'Where the parts come from', ask: 'main parts of an answer, each with its labels' },
    ...COMPARISON,
  ],
};

const CONTRIBUTION_ANSWER_TASK = [
  `Unite the contributions in one answer. ${KEEP_RULE} Say each thing once, in the order the user needs.`,
  'Where contributions conflict, reason out which is right; where that is not possible and it matters, say that views differ and what each rests on. Add what all of them miss. Code, verse and other texts of one voice: repair the best contribution, do not mix several.',
];
