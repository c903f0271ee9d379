import type { Agreement } from '../../src/ensemble/agreement/agreement';
import type { EnsembleRequest } from '../../src/ensemble/run';
import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { playRun, requestId, shownTo } from '../support/played-run';
import { PLAIN, type Script } from '../support/scripted-models';

/** Measures of agreement by strategy: panels whose agreement is planted (docs/strategies.md, Agreement). */

const MODELS = ['alpha', 'beta', 'gamma'];

interface Panel {
  readonly strategy: StrategyName;
  readonly rounds?: number;
  readonly models?: readonly string[];
  /** First texts by model; and those of the last round. */
  readonly drafts?: readonly string[];
  readonly revisions?: readonly string[];
  readonly revise?: Script;
  /** Verdicts of the arbiter, by reading; `A` is the side shown first. */
  readonly verdicts?: readonly string[];
  readonly plan?: string;
  readonly fields?: Partial<EnsembleRequest>;
}

const PROSE = ['One.\nIn words.', 'Two.\nIn other words.', 'Three.\nIn still other words.'];

function scriptOf({ models = MODELS, drafts = PROSE, revisions = [], verdicts = [], plan, revise }: Panel): Script {
  const said: Partial<Record<ProviderCall['purpose'], readonly string[]>> = { draft: drafts, revise: revisions };
  let judged = 0;
  return (call) => {
    const text = said[call.purpose]?.[models.indexOf(call.providerModel)];
    if (text !== undefined) return { text };
    if (call.purpose === 'revise' && revise) return revise(call);
    if (call.purpose === 'plan' && plan !== undefined) return { text: plan };
    if (call.purpose !== 'analyse' || verdicts.length === 0) return PLAIN(call);
    judged += 1;
    return { text: verdicts[judged - 1] ?? '' };
  };
}

async function agreementOf(panel: Panel): Promise<Agreement | undefined> {
  const { strategy, rounds = 1, models = MODELS, fields = {} } = panel;
  const script = scriptOf(panel);
  const explain = false;
  const { ok, agreement } = await playRun({
    ...{ id: requestId(strategy), strategy, rounds, models, script, explain, fields },
  });
  expect(ok).toBe(true);
  return agreement;
}

const winner = (label: string | null): string => JSON.stringify({ winner: label, rationale: 'So it is.' });
const ANSWERS = ['Steps.\nFinal answer: 42', 'Other steps.\n\n**Answer:** 42.', 'Antwort: 43'];

describe('where final answers can be compared, they are', () => {
  it.each<StrategyName>(['competitive_refinement', 'collaborative_synthesis', 'expert_panel', 'chain_of_thought'])(
    '%s',
    async (strategy) => {
      expect(await agreementOf({ strategy, drafts: ANSWERS })).toEqual({
        share: 0.3333,
        measuredOn: 'final_answers',
        words: '2 of 3 final answers are the same.',
      });
    },
  );

  it('red_team_blue_team: those of the blue team, as they stand in the end', async () => {
    const panel = { strategy: 'red_team_blue_team', drafts: ['4', '', '5'], revisions: ['5', '', '5.'] } as const;
    expect(await agreementOf(panel)).toMatchObject({ share: 1, words: 'Both final answers are the same.' });
  });

  it('hierarchical: where there is no plan, so that everybody does the whole task', async () => {
    const models = [...MODELS, 'delta'];
    const drafts = ['', 'Yes', 'No', ''];
    const whole = { strategy: 'hierarchical', models, drafts, plan: 'Hm.' } as const;
    expect(await agreementOf(whole)).toMatchObject({ share: 0, measuredOn: 'final_answers' });
    const items = ['a', 'b'].map((title) => ({ title, task: title }));
    expect(await agreementOf({ ...whole, plan: JSON.stringify({ items }) })).toBeUndefined();
  });
});

describe('of prose', () => {
  const rounds = 2;

  it.each<[rule: string, favourites: readonly string[], share: number]>([
    ['both others for the first', ['Two', 'One', 'One'], 1],
    ['in a ring', ['Two', 'Three', 'One'], 0],
  ])('competitive_refinement measures the ballots: %s', async (_, favourites, share) => {
    const ballot: Script = (call) => {
      const others = shownTo(call).filter(({ title }) => title !== 'yours');
      const favourite = favourites[MODELS.indexOf(call.providerModel)] ?? '';
      const best = others.toSorted(
        (a, b) => Number(b.text.startsWith(favourite)) - Number(a.text.startsWith(favourite)),
      );
      return { text: `REVISION: kept\nBALLOT: ${best.map(({ title }) => title.slice(-1)).join(', ')}` };
    };
    expect(await agreementOf({ strategy: 'competitive_refinement', rounds, revise: ballot })).toMatchObject({
      share,
      measuredOn: 'ballots',
    });
  });

  it('collaborative_synthesis measures the texts that stay, whatever is said of them', async () => {
    const revisions = ['REVISION: kept', 'Another text.\nOf two lines.', 'REVISION: changed\nNew.\nText.'];
    const agreement = await agreementOf({ strategy: 'collaborative_synthesis', rounds, revisions });
    expect(agreement).toMatchObject({ share: 0.3333, measuredOn: 'revisions' });
  });

  it.each<StrategyName>(['expert_panel', 'chain_of_thought', 'red_team_blue_team', 'hierarchical'])(
    '%s measures nothing',
    async (strategy) => expect(await agreementOf({ strategy, rounds, revisions: PROSE })).toBeUndefined(),
  );
});

describe('debate_tournament', () => {
  const strategy = 'debate_tournament';

  it.each<[rule: string, verdicts: readonly string[], share: number | undefined]>([
    ['the side shown first both times: they differ', [winner('A'), winner('A')], 0],
    ['the same side both times', [winner('A'), winner('B')], 1],
    ['one that cannot be read', [winner('A'), 'Hm.'], undefined],
  ])('measures the two verdicts: %s', async (_, verdicts, share) => {
    const agreement = await agreementOf({ strategy, verdicts });
    expect(agreement?.share).toBe(share);
    if (agreement) expect(agreement.measuredOn).toBe('verdicts');
  });

  it('a side that concedes has left nothing to judge', async () => {
    const revisions = ['STANCE: holds', 'STANCE: concedes', 'STANCE: holds'];
    expect(await agreementOf({ strategy, rounds: 2, revisions })).toEqual({
      share: 1,
      measuredOn: 'verdicts',
      words: 'The opposition concedes: nothing was left to judge.',
    });
  });
});

it('of one participant there is none', async () => {
  for (const strategy of ['competitive_refinement', 'chain_of_thought', 'hierarchical'] as const) {
    expect(await agreementOf({ strategy, models: ['alpha'], rounds: 2 })).toBeUndefined();
  }
});
