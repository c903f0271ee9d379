import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import type { CallPurpose } from '../../src/models/model';
import { sharedApp } from '../support/app';
import { failing, type Script, type ScriptedReply } from '../support/scripted-models';
import { type Asked, everythingOf, SPOKEN, statusesOf } from '../support/spoken-models';
import { readStream, type WireStream } from '../support/wire';

/** Words of `degraded` for each strategy. */

const THREE = ['alpha', 'beta', 'gamma'];
const FOUR = [...THREE, 'delta'];

/** A failure, and every word people are told about it. */
interface Trouble {
  readonly strategy: StrategyName;
  readonly trouble: string;
  readonly script: Script;
  readonly models?: readonly string[];
  readonly rounds?: number;
  readonly degraded: readonly string[];
  /** Nothing was left to explain. */
  readonly unexplained?: boolean;
}

const without = (purpose: CallPurpose, reply: ScriptedReply, model?: string): Script => {
  return (call) =>
    call.purpose === purpose && (model ?? call.providerModel) === call.providerModel ? reply : SPOKEN(call);
};
const PROSE = { text: 'I would rather talk.' };

const TROUBLES: readonly Trouble[] = [
  {
    strategy: 'competitive_refinement',
    trouble: 'a participant fails',
    script: without('draft', failing('overloaded'), 'beta'),
    degraded: ['beta did not answer in round 1 (overloaded)'],
  },
  {
    strategy: 'competitive_refinement',
    trouble: 'a participant fails later',
    script: without('revise', failing('rate_limited'), 'beta'),
    rounds: 2,
    degraded: ['beta did not answer in round 2 (rate limited)'],
  },
  {
    strategy: 'competitive_refinement',
    trouble: 'a draft is broken off',
    script: without('draft', { text: 'It is a', finishReason: 'failed' }, 'beta'),
    degraded: ['beta was broken off by its provider: its text of round 1 is cut off'],
  },
  {
    strategy: 'collaborative_synthesis',
    trouble: 'a revision ends for no known reason',
    script: without('revise', { text: 'It is a', finishReason: 'unknown' }, 'beta'),
    rounds: 2,
    degraded: ['beta gave no known reason for its end: its text of round 2 may be cut off'],
  },
  {
    strategy: 'collaborative_synthesis',
    trouble: 'the arbiter cannot write',
    script: without('answer', failing('unauthorized'), 'umpire'),
    degraded: ['umpire (unauthorized) failed to write the answer; gamma stepped in'],
  },
  {
    strategy: 'collaborative_synthesis',
    trouble: 'the comparison cannot be read',
    script: without('analyse', PROSE),
    degraded: ['No comparison of the answers: umpire gave none that could be read'],
    unexplained: true,
  },
  {
    strategy: 'expert_panel',
    trouble: 'nobody is cast',
    script: without('cast', PROSE),
    degraded: ['umpire chose no points of view; the standard ones are used'],
  },
  {
    strategy: 'debate_tournament',
    trouble: 'a side is silent',
    script: without('draft', failing('network'), 'beta'),
    degraded: ['beta did not answer in round 1 (network)'],
  },
  {
    strategy: 'debate_tournament',
    trouble: 'the verdict cannot be read',
    script: without('analyse', PROSE),
    degraded: ['No verdict in both orders: umpire did not give two that could be read'],
  },
  {
    strategy: 'hierarchical',
    trouble: 'the plan is unusable',
    models: FOUR,
    script: without('plan', PROSE),
    degraded: ['alpha gave no usable plan: every implementer does the whole task'],
  },
  {
    strategy: 'hierarchical',
    trouble: 'the strategist and the reviewer fail',
    models: FOUR,
    script: (call) => (call.purpose === 'plan' || call.purpose === 'review' ? failing('server') : SPOKEN(call)),
    degraded: [
      'alpha did not answer in round 1 (server)',
      'alpha gave no usable plan: every implementer does the whole task',
      'delta did not answer in round 1 (server)',
    ],
  },
  {
    strategy: 'chain_of_thought',
    trouble: 'the answer is cut off by the model',
    script: without('answer', { text: 'It is a', finishReason: 'length' }),
    degraded: ['umpire reached its length limit: the answer is cut off'],
  },
  {
    strategy: 'chain_of_thought',
    trouble: 'the answer fills the window',
    script: without('answer', { text: 'It is a', finishReason: 'context_window' }),
    degraded: ['umpire filled its context window: the answer is cut off'],
  },
  {
    strategy: 'red_team_blue_team',
    trouble: 'an attacker refuses',
    script: without('attack', { text: 'I’m sorry, but I can’t help with attacks.' }),
    degraded: ['beta would not review the answers'],
  },
];

describe('POST /v1/chat/completions: what people are told when a strategy goes wrong', () => {
  const app = sharedApp();

  async function stream(asked: Asked): Promise<WireStream> {
    await app.clock.advance(60_000);
    return readStream(await app.chat({ ...everythingOf(asked), stream: true }));
  }

  it.each(TROUBLES)('$strategy, $trouble: it is said in status, in degraded and in the explanation', async (row) => {
    const { strategy, models = THREE, rounds = 1, script, degraded, unexplained = false } = row;
    app.models.play(script);
    const asked = { strategy, models, rounds };
    const streamed = await stream(asked);
    expect(streamed.done).toBe(true);
    expect(streamed.chunks.at(-1)?.degraded).toEqual(degraded);
    expect(statusesOf(streamed)).toEqual(expect.arrayContaining([...degraded]));
    const notes = `This run:\n${degraded.map((text) => `- ${text}`).join('\n')}`;
    const explanation = streamed.chunks.at(-1)?.choices[0]?.explanation;
    expect(explanation?.split('\n\n').at(-1)).toBe(unexplained ? undefined : notes);

    const { body } = await app.complete(everythingOf(asked));
    expect(body.degraded).toEqual(degraded);
  });
});
