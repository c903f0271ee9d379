import { type PromptBlock, renderPrompt } from '../../../prompting/prompt-draft';
import { revisionsAgree } from '../../agreement/agreement';
import { textsAgree } from '../../agreement/answers-agree';
import { conclude } from '../../arbiter/conclude';
import { everybodyReadsAll } from '../../estimate/calls';
import { anonymous, type Contributor, namesOf, stand } from '../../panel/contributors';
import { revise } from '../../panel/revision';
import type { Ending, Run, Strategy } from '../../run';
import { draftAll, draftQuestion } from '../../waves/drafts';
import { withInstructions } from '../../waves/instructions';
import type { Question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { CONTRIBUTION_ANALYSIS, CONTRIBUTION_ANSWER_TASK, integrationTask, pooledContributions } from './prompts';

/**
 * Collaborative synthesis, a mixture of agents: everybody contributes; in each further round everybody writes one answer
 * that unites all contributions. Calls: n·r + 1 + v; serial waves: r + 1 + v. Sources: arXiv 2406.04692, 2406.11776.
 */
export const collaborativeSynthesis: Strategy = {
  calls: ({ panel, rounds }) => everybodyReadsAll(panel, rounds),
  direct: true,
  firstWave: (opening) => opening.request.panel.participants.map((seat) => draftQuestion(opening, seat)),
  play: unite,
};

async function unite(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const startedMs = run.clock.nowMs();
  const contributors = stand(run, await draftAll(run, firstWave));
  await playRounds(run, { title: 'uniting the contributions', startedMs, contributors }, async (round) => {
    const task = (contributor: Contributor) => taskFor(run, contributors, { contributor, round });
    const { replies, complete } = await askEach(run, contributors, { round, task });
    const revisions = replies.map((reply) => revise(run, reply));
    const hasSettled = revisions.every(({ text }) => text === '');
    return complete && hasSettled ? 'Nothing was left to add' : undefined;
  });
  const contributions = anonymous(run, contributors);
  return conclude(run, {
    candidates: contributors,
    material: pooledContributions(contributions),
    names: namesOf(contributions),
    form: CONTRIBUTION_ANALYSIS,
    answerTask: CONTRIBUTION_ANSWER_TASK,
    agreement: textsAgree(contributors, run.request.answerForm) ?? revisionsAgree(contributors),
  });
}

/** A reader whose window cannot hold everything reads this many contributions, others in every round. */
const SPARSE = 6;

interface Reader {
  readonly contributor: Contributor;
  readonly round: number;
}

function taskFor(run: Run, pool: readonly Contributor[], reader: Reader): readonly PromptBlock[] {
  const { seat } = reader.contributor;
  const key = { reader: seat.id, step: `r${reader.round}` };
  const taskWith = (shown: readonly Contributor[]) => integrationTask(anonymous(run, shown, key));
  const task = taskWith(pool);
  const promptDraft = withInstructions({ purpose: 'revise', seat }, { conversation: run.conversation, task });
  const fits = pool.length <= SPARSE || !renderPrompt(promptDraft, seat.model.contextTokens).cut;
  return fits ? task : taskWith(neighbours(pool, reader));
}

/** The reader's own contribution and those of its next neighbours in a ring that turns with the rounds. */
function neighbours(pool: readonly Contributor[], { contributor, round }: Reader): Contributor[] {
  const own = pool.indexOf(contributor);
  const others = [...pool.slice(own + 1), ...pool.slice(0, own)];
  const start = ((round - 2) * (SPARSE - 1)) % others.length;
  return [contributor, ...others.slice(start), ...others.slice(0, start)].slice(0, SPARSE);
}
