import { readPrompt, tokensIn } from './read-prompt';
import {
  closing,
  ExpectedTexts,
  type ExpectedWave,
  type Setup,
  type StrategyProof,
  selfOf,
  type Turn,
  token,
} from './setup';
import { type HeardCall, UMPIRE } from './wave-models';

/**
 * The first plans, the last reviews, those between implement; of two the first reviews too, one does it all.
 *
 * | step | who | sees |
 * |---|---|---|
 * | 0 | strategist | the conversation |
 * | k, first part | implementers | the plan, and the number of their own item |
 * | k, after defects | implementers concerned | the same; own part, marked; the defects of their own item |
 * | k | reviewer | the plan and all parts |
 * | V?, F | arbiter | the plan, all parts, the defects that are open |
 *
 * Plain prose is no plan (everybody does the whole task) and, as a review, one defect of every part.
 */
export const hierarchical: StrategyProof = {
  strategy: 'hierarchical',
  waves: (setup) => {
    const texts = new ExpectedTexts(setup);
    const crew = crewOf(setup.members);
    const plan = planTokens(setup);
    const parts = (round: number) => crew.implementers.flatMap((who) => texts.last(who, round));
    const open = crew.implementers.flatMap((who) => defectTokens(setup, { who, round: setup.rounds }));
    const waves: ExpectedWave[] = [{ round: 0, calls: [{ who: crew.strategist, does: 'plan' }] }];
    for (let round = 1; round <= setup.rounds; round += 1) {
      const due = texts.asked(crew.implementers, round);
      const work = due.map((who) => workOf(setup, { who, round }));
      waves.push(
        { round, calls: work },
        { round, calls: [{ who: crew.reviewer, does: 'review', sees: [...plan, ...parts(round)] }] },
      );
    }
    return [
      ...waves,
      ...closing(setup, [...plan, ...parts(setup.rounds), ...(setup.formal ? open : open.slice(0, 1))]),
    ];
  },
  speak: (heard, setup) => {
    if (heard.does === 'plan') return planOf(heard, setup);
    return heard.does === 'review' ? reviewOf(heard) : undefined;
  },
};

/** Roles of the members. */
export function crewOf(members: readonly string[]) {
  const [first = UMPIRE, second = first] = members;
  if (members.length < 3) return { strategist: first, reviewer: first, implementers: [second] };
  return { strategist: first, reviewer: members.at(-1) ?? first, implementers: members.slice(1, -1) };
}

function workOf(setup: Setup, { who, round }: Turn) {
  const own = new ExpectedTexts(setup).last(who, round - 1);
  const plan = planTokens(setup);
  if (own.length === 0) return { who, does: 'draft', sees: plan } as const;
  return { who, does: 'revise', own, sees: [...plan, ...defectTokens(setup, { who, round: round - 1 })] } as const;
}

function planTokens({ members, formal }: Setup): string[] {
  const { strategist, implementers } = crewOf(members);
  if (!formal) return [];
  const items = implementers.flatMap((_, index) =>
    ['title', 'task'].map((part) => `${strategist}.plan.0.${part}${index}`),
  );
  return [...items, ...['decision', 'check'].map((part) => `${strategist}.plan.0.${part}`)];
}

/** The defects found in the part of `who` in a round, where there was one. */
function defectTokens(setup: Setup, { who, round }: Turn): string[] {
  const { reviewer } = crewOf(setup.members);
  const review = `${reviewer}.review.${round}`;
  if (!setup.formal) return [review];
  return new ExpectedTexts(setup).last(who, round).length > 0 ? [`${review}.${who}`] : [];
}

/** One item for each implementer, the title of the first one naming a model. */
function planOf(heard: HeardCall, { members }: Setup): string {
  const items = crewOf(members).implementers.map((who, index) => ({
    title: `${token(heard, `title${index}`)}, ${selfOf(who)}`,
    task: `Do ${token(heard, `task${index}`)}`,
  }));
  const decisions = [`All say ${token(heard, 'decision')}`];
  return JSON.stringify({ items, decisions, checks: [`It has ${token(heard, 'check')}`] });
}

/** One defect of each part that is shown, under its number. */
function reviewOf(heard: HeardCall): string {
  const parts = readPrompt(heard.call.prompt).fenced.filter(({ title }) => title.startsWith('part '));
  const defects = parts.map(({ title, text }) => {
    const [author = ''] = tokensIn(text).map((shown) => shown.split('.')[0] ?? '');
    const defect = `${token(heard, author)}, ${selfOf(heard.who)}`;
    return { item: Number(title.slice('part '.length)), severity: 'major', defect };
  });
  return JSON.stringify({ verdict: 'revise', defects });
}
