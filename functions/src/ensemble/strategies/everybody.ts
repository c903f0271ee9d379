import type { PromptBlock } from '../../prompting/prompt-draft';
import { type Conclusion, conclude } from '../arbiter/conclude';
import { everybodyReads } from '../estimate/calls';
import { anonymous, type Contributor, stand } from '../panel/contributors';
import type { Ending, Run, Strategy } from '../run';
import { draftAll, draftQuestion } from '../waves/drafts';
import type { Question } from '../waves/question';
import { askEach, playRounds } from '../waves/rounds';

/** Steps of a strategy in which everybody writes, and then checks its own text against those of others. */
export interface Steps<C extends Contributor> {
  readonly title: string;
  /** Set where of texts that no other participant reads the final answers count: one more of a minority changes nothing. */
  readonly answersCount?: true;
  /** Contributors as the strategy needs them, from their first texts. */
  start(drafts: readonly Contributor[]): readonly C[];
  task(round: Round<C>, contributor: C): readonly PromptBlock[];
  /** Reads the replies of a round; says why nothing more is to be done, which counts where everybody has answered. */
  read(round: Round<C>, replies: readonly Reply<C>[]): string | undefined;
  conclusion(run: Run, contributors: readonly C[]): Conclusion;
}

export interface Round<C extends Contributor> {
  readonly run: Run;
  readonly contributors: readonly C[];
  readonly round: number;
}

export interface Reply<C extends Contributor> {
  readonly contributor: C;
  readonly text: string;
}

interface Options {
  readonly direct?: true;
  readonly plainDrafts?: true;
  readonly draftTask?: readonly PromptBlock[];
  /** Most texts that a contributor reads in a round. */
  readonly reads?: number;
}

/** A strategy of those steps, which begins with everybody's first text. */
export function everybody<C extends Contributor>(
  steps: Steps<C>,
  { draftTask, reads, ...traits }: Options = {},
): Strategy {
  return {
    calls: ({ panel, rounds }) => everybodyReads(panel, rounds, reads),
    ...traits,
    firstWave: (opening) => opening.request.panel.participants.map((seat) => draftQuestion(opening, seat, draftTask)),
    play: (run, firstWave) => playEverybody(run, firstWave, steps),
  };
}

/** Lets everybody answer these questions, and then plays the further rounds and the end. */
export async function playEverybody<C extends Contributor>(
  run: Run,
  questions: readonly Question[],
  steps: Steps<C>,
): Promise<Ending> {
  const startedMs = run.clock.monotonicMs();
  const answersCount = steps.answersCount && run.request.rounds === 1;
  const contributors = stand(run, steps.start(await draftAll(run, questions, { answersCount })));
  await playRounds(run, { title: steps.title, startedMs, contributors }, async (number) => {
    const round = { run, contributors, round: number };
    const task = (contributor: C) => steps.task(round, contributor);
    const { replies, complete } = await askEach(run, contributors, { round: number, task });
    const reason = steps.read(round, replies);
    return complete ? reason : undefined;
  });
  return conclude(run, steps.conclusion(run, contributors));
}

/** The others' texts as a contributor is shown them in a round. */
export function othersOf<C extends Contributor>({ run, contributors, round }: Round<C>, contributor: C) {
  const others = contributors.filter((other) => other !== contributor);
  return anonymous(run, others, { reader: contributor.seat.id, step: `r${round}` });
}
