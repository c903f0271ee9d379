import * as z from 'zod';
import { singleArm } from '../finished-run.ts';

const WORDS_MAX = 200;
const words = z.string().trim().min(1).max(WORDS_MAX).optional();
const answer = z.enum(['good', 'bad'], 'must be good or bad').optional();

/** A user's opinion of a saved run, as a line of questions has it: a weak label. */
export const ratedSchema = z.strictObject({
  /** The way in which the answer came about, by the name of its arm. */
  arm: z.string().min(1),
  answer,
  /** The participant whose text was better than the answer. */
  better: z.string().min(1).optional(),
  words,
});

/** Such an opinion. */
export type Rated = z.infer<typeof ratedSchema>;

/** Rating by most users of an arm's earlier answers to a question. */
export interface Label {
  readonly arm: string;
  readonly isGood: boolean;
}

/** The labels in ratings, one an arm; none where users disagree, or where the answer was good and a draft was better. */
export function labelsOf(rated: readonly Rated[]): Label[] {
  return [...Map.groupBy(rated, ({ arm }) => arm)].flatMap(([arm, ofArm]) => {
    const sum = ofArm.reduce((votes, one) => votes + voteOf(one), 0);
    return sum === 0 ? [] : [{ arm, isGood: sum > 0 }];
  });
}

function voteOf({ answer: found, better }: Rated): -1 | 0 | 1 {
  if (found === 'good') return better === undefined ? 1 : 0;
  return found === 'bad' || better !== undefined ? -1 : 0;
}

/** The rating of a saved run. */
export const ratingSchema = z.object({ answer, better: z.string().optional(), words });

/** The first event of a saved run. */
const begunSchema = z.object({
  type: z.literal('run'),
  strategy: z.string().min(1),
  participants: z.array(z.object({ seat: z.string(), modelId: z.string().min(1) })),
  arbiter: z.object({ modelId: z.string().min(1) }),
});

/** The rating of a run with the names of its models and its strategy; undefined where there is none, or the run had not begun. */
export function ratedOf(
  rating: z.infer<typeof ratingSchema> | undefined,
  events: readonly unknown[],
): Rated | undefined {
  const begun = begunSchema.safeParse(events[0]);
  if (!rating || Object.keys(rating).length === 0 || !begun.success) return undefined;
  const { strategy, participants, arbiter } = begun.data;
  const better = participants.find(({ seat }) => seat === rating.better)?.modelId;
  return {
    arm: strategy === 'pass_through' ? singleArm(arbiter.modelId) : strategy,
    ...(rating.answer && { answer: rating.answer }),
    ...(better !== undefined && { better }),
    ...(rating.words !== undefined && { words: rating.words }),
  };
}

/** The words of users about earlier answers, for judges; undefined where there are none. */
export function rubricOf(rated: readonly Rated[]): string | undefined {
  const said = rated.flatMap(({ answer: found, words: why }) =>
    why === undefined ? [] : [`Of an earlier answer${found ? `, which was ${found},` : ''} a user said: ${why}`],
  );
  return said.length === 0 ? undefined : said.join('\n');
}

/** The ratings in sentences, an arm each, and what they are worth. */
export function ratingsTold(rated: readonly Rated[]): readonly string[] {
  if (rated.length === 0) return [];
  const arms = [...new Set(rated.map(({ arm }) => arm))].sort();
  return [
    'Ratings are weak labels: the opinion of one user, who saw the names. A study says how often it agrees with them, and no more.',
    ...arms.map((arm) => {
      const own = rated.filter((one) => one.arm === arm);
      const count = (found: string): number => own.filter((one) => one.answer === found).length;
      const better = own.flatMap((one) => one.better ?? []);
      const names = [...new Set(better)].map((name) => `${name} (${better.filter((one) => one === name).length})`);
      const beside = names.length === 0 ? '' : `; better than its answer: ${names.join(', ')}`;
      return `${arm}: ${count('good')} good, ${count('bad')} bad${beside}`;
    }),
  ];
}
