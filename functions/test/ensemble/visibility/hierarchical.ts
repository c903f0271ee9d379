import { readPrompt, tokensIn } from '../../support/read-prompt';
import { type HeardCall, UMPIRE } from '../../support/token-models';
import {
  analysisOf,
  closing,
  type ExpectedWave,
  modelIdOf,
  type Scene,
  Script,
  type StrategyProof,
  token,
} from './scene';

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
  waves: (scene) => {
    const script = new Script(scene);
    const crew = crewOf(scene.members);
    const plan = planTokens(scene);
    const parts = (round: number) => crew.implementers.flatMap((who) => script.last(who, round));
    const open = crew.implementers.flatMap((who) => defectTokens(scene, { who, round: scene.rounds }));
    const waves: ExpectedWave[] = [{ round: 0, calls: [{ who: crew.strategist, does: 'plan' }] }];
    for (let round = 1; round <= scene.rounds; round += 1) {
      const due = crew.implementers.filter((who) => script.isAsked(who, round));
      const work = due.map((who) => workOf(scene, { who, round }));
      waves.push(
        { round, calls: work },
        { round, calls: [{ who: crew.reviewer, does: 'review', sees: [...plan, ...parts(round)] }] },
      );
    }
    return [
      ...waves,
      ...closing(scene, [...plan, ...parts(scene.rounds), ...(scene.formal ? open : open.slice(0, 1))]),
    ];
  },
  speak: (heard, scene) => {
    if (heard.does === 'plan') return planOf(heard, scene);
    if (heard.does === 'review') return reviewOf(heard);
    return heard.does === 'analyse' ? analysisOf(heard) : undefined;
  },
};

interface Turn {
  readonly who: string;
  readonly round: number;
}

/** Who does what. */
export function crewOf(members: readonly string[]) {
  const [first = UMPIRE, second = first] = members;
  if (members.length < 3) return { strategist: first, reviewer: first, implementers: [second] };
  return { strategist: first, reviewer: members.at(-1) ?? first, implementers: members.slice(1, -1) };
}

function workOf(scene: Scene, { who, round }: Turn) {
  const own = new Script(scene).last(who, round - 1);
  const plan = planTokens(scene);
  if (own.length === 0) return { who, does: 'draft', sees: plan } as const;
  return { who, does: 'revise', own, sees: [...plan, ...defectTokens(scene, { who, round: round - 1 })] } as const;
}

function planTokens({ members, formal }: Scene): string[] {
  const { strategist, implementers } = crewOf(members);
  if (!formal) return [];
  const items = implementers.flatMap((_, index) =>
    ['title', 'task'].map((part) => `${strategist}.plan.0.${part}${index}`),
  );
  return [...items, `${strategist}.plan.0.check`];
}

/** The defects found in the part of `who` in a round, where there was one. */
function defectTokens(scene: Scene, { who, round }: Turn): string[] {
  const { reviewer } = crewOf(scene.members);
  const review = `${reviewer}.review.${round}`;
  if (!scene.formal) return [review];
  return new Script(scene).last(who, round).length > 0 ? [`${review}.${who}`] : [];
}

/** One item for each implementer, the title of the first one naming a model. */
function planOf(heard: HeardCall, { members }: Scene): string {
  const items = crewOf(members).implementers.map((who, index) => ({
    title: `${token(heard, `title${index}`)} of ${modelIdOf(who)}`,
    task: `Do ${token(heard, `task${index}`)}`,
  }));
  return JSON.stringify({ items, checks: [`It has ${token(heard, 'check')}`] });
}

/** One defect of each part that is shown, under its number. */
function reviewOf(heard: HeardCall): string {
  const parts = readPrompt(heard.call.prompt).fenced.filter(({ title }) => title.startsWith('part '));
  const defects = parts.map(({ title, text }) => {
    const [author = ''] = tokensIn(text).map((shown) => shown.split('.')[0] ?? '');
    const defect = `${token(heard, author)}, says ${modelIdOf(heard.who)} of ${modelIdOf(author)}`;
    return { item: Number(title.slice('part '.length)), severity: 'major', defect };
  });
  return JSON.stringify({ verdict: 'revise', defects });
}
