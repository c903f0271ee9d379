import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import { sharedApp } from '../support/app';
import { type Asked, everythingOf, SPOKEN, statusesOf } from '../support/spoken-models';
import { readStream, type WireStream } from '../support/wire';

/** Words that people see of each strategy: progress, candidates, explanation. */

const THREE = ['alpha', 'beta', 'gamma'];
const FOUR = [...THREE, 'delta'];

interface Show {
  readonly strategy: StrategyName;
  readonly models: readonly string[];
  readonly statuses: readonly string[];
  /** Name, text without its last lines, and what is noted of it in streams. */
  readonly candidates: readonly (readonly [string, string, string])[];
  readonly explanation: readonly string[];
}

const DRAFTS_AND = (title: string): string[] => [
  'Round 1 of 2: alpha, beta, gamma are answering',
  'alpha answered (1 of 3)',
  'beta answered (2 of 3)',
  'gamma answered (3 of 3)',
  `Round 2 of 2: ${title}`,
  'alpha answered (1 of 3)',
  'beta answered (2 of 3)',
  'gamma answered (3 of 3)',
];
const CLOSING = ['umpire is comparing the answers', 'umpire is writing the answer'];
const ALL_THREE = (...notes: string[]): Show['candidates'] => [
  ['alpha', 'One says yes, still.', notes[0] ?? ''],
  ['beta', 'Two says yes, still.', notes[1] ?? ''],
  ['gamma', 'Three says yes, still.', notes[2] ?? ''],
];

const COMPARED = [
  'Agreed:\n- agreements of gamma',
  'Conflicts:\n- conflicts of gamma',
  'Unique points:\n- unique of gamma',
  'Dissent:\n- dissent of gamma',
  'Missing or wrong:\n- missing of gamma',
];

const SHOWS: readonly Show[] = [
  {
    strategy: 'competitive_refinement',
    models: THREE,
    statuses: [...DRAFTS_AND('refining the drafts'), ...CLOSING],
    candidates: ALL_THREE(),
    explanation: ['Strongest answer: beta.', 'I prefer beta.', ...COMPARED],
  },
  {
    strategy: 'collaborative_synthesis',
    models: THREE,
    statuses: [...DRAFTS_AND('uniting the contributions'), ...CLOSING],
    candidates: ALL_THREE(),
    explanation: ['I prefer beta.', 'Where the parts come from:\n- provenance of gamma', ...COMPARED],
  },
  {
    strategy: 'expert_panel',
    models: THREE,
    statuses: ['umpire is choosing the points of view', ...DRAFTS_AND('the experts reconsider'), ...CLOSING],
    candidates: ALL_THREE('Botanist', 'Cook', 'Lawyer'),
    explanation: ['I prefer beta.', ...COMPARED, 'Roles:\n- alpha: Botanist\n- beta: Cook\n- gamma: Lawyer'],
  },
  {
    strategy: 'debate_tournament',
    models: THREE,
    statuses: [
      'Round 1 of 2, proposition: alpha is answering',
      'alpha answered (1 of 1)',
      'Round 1 of 2, both sides: gamma, beta are answering',
      'gamma answered (1 of 2)',
      'beta answered (2 of 2)',
      'Round 2 of 2: the sides answer each other',
      'alpha answered (1 of 3)',
      'gamma answered (2 of 3)',
      'beta answered (3 of 3)',
      'umpire is judging the debate, once in each order',
      'umpire is writing the answer',
    ],
    candidates: ALL_THREE('proposition', 'opposition', 'proposition'),
    explanation: [
      'The opposition wins: in both orders of presentation the verdict was the same.',
      'I prefer the opposition (beta).',
      'What decided it:\n- decisive of the proposition (gamma)',
      'Conceded:\n- conceded of the proposition (gamma)',
      'Dissent:\n- dissent of the proposition (gamma)',
      'Missing or wrong:\n- missing of the proposition (gamma)',
      'Roles:\n- alpha: proposition\n- gamma: proposition\n- beta: opposition',
    ],
  },
  {
    strategy: 'hierarchical',
    models: FOUR,
    statuses: [
      'alpha is planning the work',
      'alpha has planned the work (1 of 1)',
      'Round 1 of 2: implementing and reviewing',
      'beta answered (1 of 2)',
      'gamma answered (2 of 2)',
      'delta has finished its review (1 of 1)',
      'Round 2 of 2: implementing and reviewing',
      'gamma answered (1 of 1)',
      'delta has finished its review (1 of 1)',
      ...CLOSING,
    ],
    candidates: [
      ['beta', 'Two says yes.', 'The plant'],
      ['gamma', 'Three says yes, still.', 'The dish'],
    ],
    explanation: [
      'I prefer part 1.',
      'Requirements met:\n- met of part 2',
      'Conflicts:\n- conflicts of part 2',
      'Missing or wrong:\n- missing of part 2',
      'Plan:\n- 1. The plant (beta)\n- 2. The dish (gamma)',
      'Review:\n- Not approved in the rounds played.\n- Part 2: minor: Name one.',
    ],
  },
  {
    strategy: 'chain_of_thought',
    models: THREE,
    statuses: [...DRAFTS_AND('checking each other’s steps'), ...CLOSING],
    candidates: ALL_THREE(),
    explanation: [
      'Strongest answer: beta.',
      'I prefer beta.',
      'Agreed:\n- agreements of gamma',
      'First wrong steps:\n- errors of gamma',
      'Dissent:\n- dissent of gamma',
      'Missing or wrong:\n- missing of gamma',
      'Final answers:\n- fruit: alpha, beta, gamma',
      'Review:\n- alpha: step 1: no proof\n- beta: step 1: no proof\n- gamma: step 1: no proof',
    ],
  },
  {
    strategy: 'red_team_blue_team',
    models: ['beta', 'alpha', 'gamma'],
    statuses: [
      'Round 1 of 2, blue team: beta, gamma are answering',
      'beta answered (1 of 2)',
      'gamma answered (2 of 2)',
      'Round 1 of 2: attack and correction',
      'alpha has attacked (1 of 1)',
      'beta answered (1 of 2)',
      'gamma answered (2 of 2)',
      'Round 2 of 2: attack and correction',
      'alpha has attacked (1 of 1)',
      'beta answered (1 of 2)',
      'gamma answered (2 of 2)',
      ...CLOSING,
    ],
    candidates: [
      ['beta', 'Two says yes, still.', ''],
      ['gamma', 'Three says yes, still.', ''],
    ],
    explanation: [
      'Strongest answer: beta.',
      'I prefer beta.',
      'Fixed:\n- fixed of gamma',
      'Rebutted:\n- rebutted of gamma',
      'Residual risks:\n- residual of gamma',
      'Missing or wrong:\n- missing of gamma',
      'Review:\n- beta, major: No source.\n- gamma, major: No source.',
    ],
  },
];

describe('POST /v1/chat/completions: what people see of a strategy', () => {
  const app = sharedApp();

  async function stream(asked: Asked): Promise<WireStream> {
    await app.clock.advance(60_000);
    return readStream(await app.chat({ ...everythingOf(asked), stream: true }));
  }

  it.each(SHOWS)('$strategy: progress, candidates with their part, explanation', async (show) => {
    app.models.play(SPOKEN);
    const asked = { strategy: show.strategy, models: show.models, rounds: 2 };
    const streamed = await stream(asked);
    expect(statusesOf(streamed)).toEqual(show.statuses);
    const shown = streamed.chunks.flatMap(({ candidates }) => candidates ?? []);
    expect(shown.map(({ model, text, reasoning }) => [model, text.split('\n')[0], reasoning])).toEqual(show.candidates);
    expect(streamed.chunks.at(-1)?.choices[0]?.explanation?.split('\n\n')).toEqual(show.explanation);

    const { body } = await app.complete(everythingOf(asked));
    const [{ message, candidates = [] }] = body.choices;
    expect(message.explanation?.split('\n\n')).toEqual(show.explanation);
    expect(candidates.map(({ modelId, response }) => [modelId, response.split('\n')[0]])).toEqual(
      show.candidates.map(([model, text]) => [model, text]),
    );
    expect(body).not.toHaveProperty('degraded');
  });

  it.each<{ strategy: StrategyName; explanation: string }>([
    { strategy: 'debate_tournament', explanation: 'Roles:\n- alpha: both' },
    { strategy: 'hierarchical', explanation: 'Plan:\n- 1. The plant; The dish (alpha)' },
  ])('$strategy with one model: $explanation', async ({ strategy, explanation }) => {
    app.models.play(SPOKEN);
    const { body } = await app.complete(everythingOf({ strategy, models: ['alpha'], rounds: 1 }));
    expect(body.choices[0].message.explanation?.split('\n\n')).toContain(explanation);
  });
});
