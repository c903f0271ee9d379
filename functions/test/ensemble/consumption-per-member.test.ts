import { PROOFS } from './visibility';
import { competitiveRefinement } from './visibility/competitive-refinement';
import { tokensIn } from './visibility/read-prompt';
import { members, type Setup } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';
import { type HeardCall, UMPIRE } from './visibility/wave-models';

const SCENE: Setup = { members: members(4), rounds: 3, explained: true, formal: true };
const PANELS: readonly { panel: string; seats: readonly string[] }[] = [
  { panel: 'four models', seats: members(4) },
  { panel: 'one model in two seats and another', seats: ['ash', 'ash2', 'birch'] },
  { panel: 'the arbiter alone', seats: ['umpire2'] },
];
const ROWS = PANELS.flatMap(({ panel, seats }) => PROOFS.map((proof) => ({ panel, seats, proof })));

/** Demo models have a price: 100 nano-USD a prompt token, 400 a completion token. */
const PRICED = { ash: 'demo-ash', ash2: 'demo-ash', birch: 'demo-birch', cedar: 'demo-cedar', dogwood: 'demo-dogwood' };
const MODELS = { ...PRICED, umpire2: 'demo-umpire', umpire22: 'demo-umpire', [UMPIRE]: 'demo-umpire' };

interface Spent {
  promptTokens: number;
  completionTokens: number;
  durationMs: number;
}

/** A candidate's own share of a reply. */
interface Share {
  readonly response: string;
  readonly tokenUsage: unknown;
  readonly executionTimeMs: number;
  readonly cost: number;
}

/** The n-th call of a run reports 2^n prompt tokens, so that a sum tells exactly whose calls it is made of. */
function accounts() {
  const spent = new Map<string, Spent>();
  let calls = 0;
  return {
    spent,
    usage: ({ who, round }: HeardCall) => {
      const usage = { promptTokens: 2 ** calls, completionTokens: 3 + calls + round };
      calls += 1;
      const before = spent.get(who) ?? { promptTokens: 0, completionTokens: 0, durationMs: 0 };
      before.promptTokens += usage.promptTokens;
      before.completionTokens += usage.completionTokens;
      spent.set(who, before);
      return usage;
    },
  };
}

describe('what each member consumed', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  it.each(ROWS)(
    '$proof.strategy, $panel: a candidate has the sums of its own calls, the reply those of all',
    async (row) => {
      const { spent, usage } = accounts();
      const { reply, waves } = await service.run(
        row.proof,
        { ...SCENE, members: row.seats },
        {
          models: MODELS,
          usage,
          whileOpen: (wave) => service.app.clock.advance(2 ** wave),
          options: { includeCandidates: true },
        },
      );
      for (const [wave, calls] of waves.entries()) {
        for (const { who } of calls) (spent.get(who) ?? NOTHING).durationMs += 2 ** wave;
      }
      const candidates: readonly Share[] = (reply.choices[0].candidates ?? []) as unknown as readonly Share[];
      const shares = candidates.map(({ response, tokenUsage, executionTimeMs, cost }) => ({
        who: tokensIn(response).at(-1)?.split('.')[0],
        tokenUsage,
        executionTimeMs,
        cost,
      }));
      expect(shares).toEqual(shares.map(({ who = '' }) => ({ who, ...shareOf(spent.get(who)) })));
      const all = [...spent.values()];
      const prompt = all.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
      const completion = all.reduce((sum, { completionTokens }) => sum + completionTokens, 0);
      expect(prompt).toBe(2 ** waves.flat().length - 1);
      expect(reply.usage).toMatchObject({
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
      });
    },
  );

  it('a call that failed is not the member’s to pay for when nothing was billed', async () => {
    const setup: Setup = { ...SCENE, members: members(2), rounds: 2, explained: false, silent: ['birch.2'] };
    const { reply } = await service.run(competitiveRefinement, setup, {
      models: MODELS,
      usage: () => ({ promptTokens: 10, completionTokens: 5 }),
      options: { includeCandidates: true },
    });
    const usages = reply.choices[0].candidates as unknown as readonly { tokenUsage: unknown }[];
    expect(usages.map(({ tokenUsage }) => tokenUsage)).toEqual([
      { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
      { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
    ]);
    expect(reply.usage).toMatchObject({ prompt_tokens: 40, completion_tokens: 20 });
  });
});

const NOTHING: Spent = { promptTokens: 0, completionTokens: 0, durationMs: 0 };

function shareOf({ promptTokens, completionTokens, durationMs }: Spent = NOTHING) {
  return {
    tokenUsage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    executionTimeMs: durationMs,
    cost: (promptTokens * 100 + completionTokens * 400) / 1e9,
  };
}
