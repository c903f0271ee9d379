import { ModelFault } from '../../src/models/model-fault';
import { type App, sharedApp } from '../support/app';
import type { Script } from '../support/scripted-models';
import { readStream } from '../support/wire';

/** `mode: "auto"`: one draft that may end the run, and else counts as a participant's. */

const says =
  (first: string): Script =>
  ({ purpose, prompt, providerModel }) => {
    const isFirst = prompt.turns.at(-1)?.text.includes('"PANEL: no"');
    return { text: isFirst ? first : `${purpose} of ${providerModel}` };
  };
const ALONE = says('PANEL: no\nHello!');
const PANEL = says('PANEL: yes\nThe first draft.');
const WITH_ARBITER = ['demo-ada', 'demo-blaise'];
const WITHOUT_ARBITER = ['demo-blaise', 'demo-curie'];

describe('a run on demand', () => {
  const app = sharedApp();

  const made = (calls: readonly { purpose: string; providerModel: string }[]): string[] =>
    calls.map(({ purpose, providerModel }) => `${purpose} ${providerModel}`);

  it.each(['competitive_refinement', 'debate_tournament', 'hierarchical', 'expert_panel'])(
    '%s: a message that needs no panel is one call, with the request’s instructions and sampling',
    async (strategy) => {
      app.models.play(ALONE);
      const { calls, body } = await app.complete({
        temperature: 0.4,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        ai_ensemble: { mode: 'auto', strategy, models: WITH_ARBITER, rounds: 3 },
      });
      expect(made(calls)).toEqual(['draft demo-ada']);
      expect([calls[0]?.sampling, calls[0]?.prompt.system]).toEqual([{ temperature: 0.4 }, 'Be brief.']);
      expect(body.choices[0].message.content).toBe('Hello!');
      expect(body).not.toHaveProperty('degraded');
      // Its tokens are in the totals: the ledger has the row.
      expect(body.usage['completion_tokens']).toBeGreaterThan(0);
    },
  );

  it('streamed it is an ordinary stream, without a trace of the first line', async () => {
    app.models.play(ALONE);
    const response = await app.chat({ stream: true, ai_ensemble: { mode: 'auto', models: WITH_ARBITER } });
    const { content, raw, done } = await readStream(response);
    expect([content, done]).toEqual(['Hello!', true]);
    expect(raw).not.toContain('PANEL');
  });

  it('else the draft is the participant’s whose model drafted: no call more than without', async () => {
    app.models.play(PANEL);
    const options = { mode: 'auto', models: WITH_ARBITER, includeCandidates: true };
    const { calls, body } = await app.complete({ ai_ensemble: options });
    expect(made(calls)).toEqual(['draft demo-ada', 'draft demo-blaise', 'answer demo-ada']);
    expect(body.choices[0].candidates?.map(({ modelId, response }) => [modelId, response])).toEqual([
      ['demo-ada', 'The first draft.'],
      ['demo-blaise', 'draft of demo-blaise'],
    ]);
    expect(body.choices[0].message.content).toBe('answer of demo-ada');
    expect(calls.at(-1)?.prompt.turns.at(-1)?.text).not.toContain('PANEL');
  });

  it('of an arbiter that is no participant it is read with the others, one call more', async () => {
    app.models.play(PANEL);
    const { calls } = await app.complete({ ai_ensemble: { mode: 'auto', models: WITHOUT_ARBITER, rounds: 2 } });
    expect(made(calls)).toEqual([
      'draft demo-ada',
      'draft demo-blaise',
      'draft demo-curie',
      'revise demo-blaise',
      'revise demo-curie',
      'answer demo-ada',
    ]);
    for (const { prompt } of calls.slice(3)) expect(prompt.turns.at(-1)?.text).toContain('The first draft.');
  });

  it.each([
    ['there twice', ['demo-ada', 'demo-ada'], 'competitive_refinement'],
    ['first there with settings', [{ id: 'demo-ada', temperature: 1 }, 'demo-ada'], 'competitive_refinement'],
    ['of no use to a strategy whose first texts have a form of their own', ['demo-ada'], 'chain_of_thought'],
  ])('the draft of a model that is %s stands for one seat or none', async (_, models, strategy) => {
    app.models.play(PANEL);
    const { calls } = await app.complete({ ai_ensemble: { mode: 'auto', models, strategy } });
    expect(made(calls)).toEqual(['draft demo-ada', 'draft demo-ada', 'answer demo-ada']);
    const alone = typeof models[0] === 'object' ? { temperature: 1 } : {};
    // The seat with settings drafts by itself.
    expect(calls[1]?.sampling).toEqual(alone);
  });

  it('a draft that fails is said, and the panel answers', async () => {
    const fault = new ModelFault('overloaded', { retryAfterSeconds: 9_999 });
    app.models.play((call) => {
      const isFirst = call.prompt.turns.at(-1)?.text.includes('"PANEL: no"');
      return isFirst ? { text: '', fault } : { text: call.purpose };
    });
    const { calls, body } = await app.complete({ ai_ensemble: { mode: 'auto', models: WITH_ARBITER } });
    expect(made(calls)).toEqual(['draft demo-ada', 'draft demo-ada', 'draft demo-blaise', 'answer demo-ada']);
    expect(body.degraded).toEqual(['Demo Ada gave no first draft (overloaded)']);
    expect(body.choices[0].message.content).toBe('answer');
  });

  it('with an explanation it says that one model answered alone', async () => {
    app.models.play(ALONE);
    const { calls, body } = await app.complete({
      ai_ensemble: { mode: 'auto', models: WITH_ARBITER, includeReasoning: true },
    });
    expect(calls).toHaveLength(1);
    expect(body.choices[0].message.explanation).toBe('Demo Ada answered alone: it saw no need for a panel.');
  });

  it('is off unless asked for: by the mode, or by a virtual id that ends in -auto', async () => {
    const first = async (fields: Parameters<App['complete']>[0]) => {
      app.models.reset();
      app.models.play(ALONE);
      return (await app.complete(fields)).calls.length;
    };
    expect(await first({ model: 'ensemble-auto' })).toBe(1);
    expect(await first({ model: 'ensemble-debate-tournament-auto' })).toBe(1);
    expect(await first({ model: 'ensemble' })).toBeGreaterThan(1);
    expect(await first({ model: 'ensemble-auto', ai_ensemble: { mode: 'panel' } })).toBeGreaterThan(1);
    expect(await first({ ai_ensemble: { models: WITH_ARBITER } })).toBe(3);
  });
});
