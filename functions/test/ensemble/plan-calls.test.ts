import { AnswerTimes } from '../../src/ensemble/deadline/answer-times';
import { estimateRun } from '../../src/ensemble/estimate/estimate-run';
import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { fakeClock } from '../support/fake-clock';
import { type Play, playRun, requestId, requestOf } from '../support/played-run';
import type { Script } from '../support/scripted-models';

let texts = 0;

/** Models that go on for as long as they are asked, never agree, and never say the same twice. */
const tireless: Script = ({ providerModel, purpose }) => {
  if (purpose === 'plan') return { text: JSON.stringify({ items: ['one', 'two', 'three', 'four'] }) };
  if (purpose === 'analyse') return { text: '{"winner": null, "rationale": "They differ."}' };
  if (purpose === 'review' || purpose === 'attack') return { text: 'It does not say why.' };
  if (purpose === 'cast') return { text: '{"lenses": [{"name": "Cook", "focus": "Taste."}]}' };
  texts += 1;
  return { text: `CHECK: step 1: no proof\nText ${texts} of mine.\nANSWER: ${providerModel}` };
};

const SIZES = [1, 2, 3, 5].flatMap((n) =>
  [1, 2, 4].flatMap((rounds) => [true, false].map((explain) => ({ n, rounds, explain, followUps: !explain }))),
);

/** Every call as `model purpose`, wave by wave: models take a second each, so that a second is a wave. */
async function callsMade(asked: Omit<Play, 'id' | 'script'>): Promise<string[][]> {
  const clock = fakeClock();
  const startedMs = clock.nowMs();
  const waves: string[][] = [];
  const script: Script = (call) => {
    const wave = (clock.nowMs() - startedMs) / 1_000;
    waves[wave] = [...(waves[wave] ?? []), `${call.providerModel} ${call.purpose}`];
    return { ...tireless(call), delayMs: 1_000 };
  };
  const { degraded } = await clock.settle(playRun({ ...asked, id: requestId('plan'), script, clock }), 500_000);
  expect(degraded).toEqual([]);
  return waves.map((wave) => wave.toSorted());
}

/** The same as it is planned. */
function planned(asked: Omit<Play, 'id' | 'script'>): string[][] {
  const { waves } = estimateRun(requestOf(asked), { paces: new AnswerTimes().of('alice'), atMs: 0 });
  return waves.map(({ calls }) => calls.map(({ seat, purpose }) => `${seat.model.id} ${purpose}`).toSorted());
}

describe.each(STRATEGY_NAMES)('the plan of %s', (strategy) => {
  it.each(SIZES)(
    'names the calls that are made, wave by wave: $n models, $rounds rounds, explain $explain',
    async (size) => {
      const { n, ...options } = size;
      const asked = { strategy, models: Array.from({ length: n }, (_, index) => `model-${index}`), ...options };
      expect(planned(asked)).toEqual(await callsMade(asked));
    },
  );

  it.each([1, 2, 3, 5])(
    'on demand it begins with two drafts, and asks for none of them again: %d models',
    async (n) => {
      const models = Array.from({ length: n }, (_, index) => `model-${index}`);
      const asked = { strategy, models, rounds: 2, fields: { auto: true } };
      const [first, ...rest] = planned(asked);
      expect(first).toEqual(['model-0 draft', 'umpire-9 draft']);
      const spared = SPARED[strategy] === 'always' || (SPARED[strategy] === 'several' && n > 1) ? 1 : 0;
      expect(rest.flat()).toHaveLength(planned({ ...asked, fields: {} }).flat().length - spared);
      expect(planned(asked)).toEqual(await callsMade(asked));
    },
  );
});

/** Strategies in which a plain answer of the first participant is one of the first texts, by the number of participants. */
const SPARED: Partial<Readonly<Record<StrategyName, 'always' | 'several'>>> = {
  competitive_refinement: 'always',
  collaborative_synthesis: 'always',
  debate_tournament: 'several',
  red_team_blue_team: 'always',
};
