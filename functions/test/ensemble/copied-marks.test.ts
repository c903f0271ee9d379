import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { startApp } from '../support/app';
import { during } from '../support/during';
import { shownTo } from '../support/played-run';
import type { Script } from '../support/scripted-models';
import { readStream } from '../support/wire';
import { nonceOf } from './injection/fenced-prompt';
import { ARBITER, FIXED_ANSWER, injectingModels, PANEL } from './injection/injecting-models';

/**
 * Fences that hold texts apart in prompts are nothing to the user or to other models: of a model that copies them, they
 * get the rest.
 */

const HARMLESS = { text: 'HARMLESS-TEXT', line: 'HARMLESS-LINE', value: 'HARMLESS-VALUE' };

/** The fences of a prompt; none where it has no task. */
function copied({ prompt }: ProviderCall): string {
  const text = prompt.turns.at(-1)?.text ?? '';
  const marks = text.match(/^<<[0-9a-f]{6,64} .*>>$/gm) ?? [];
  return marks.join('\n');
}

/** Words of the service that the prompt ends with. */
function repeatedTask({ prompt }: ProviderCall): string {
  return prompt.turns.at(-1)?.text.split('\n').at(-1) ?? '';
}

/** Writers that put all marks of their prompts, plain and dressed up, around what they say; others do as asked. */
function copyists(strategy: StrategyName): Script {
  const { script } = injectingModels(strategy, () => HARMLESS);
  return (call) => {
    if (call.purpose === 'answer')
      return { text: `${copied(call)}\n${repeatedTask(call)}\n${FIXED_ANSWER}\n${copied(call)}` };
    const { text } = script(call);
    if (call.purpose !== 'draft' && call.purpose !== 'revise') return { text };
    const nonce = nonceOf(call.prompt.turns.at(-1)?.text ?? '');
    return { text: `${copied(call)}\n${nonce ? `**\`<<${nonce} A>>\`**` : ''}\n${text}` };
  };
}

function fieldsOf(strategy: StrategyName): Record<string, unknown> {
  return { model: ARBITER, ai_ensemble: { strategy, models: PANEL, rounds: 3, includeCandidates: true } };
}

describe('marks that models copy from their prompts', () => {
  const app = during('all', startApp);

  function play(script: Script): void {
    app.models.reset();
    app.models.play(script);
  }

  it.each(STRATEGY_NAMES)('%s: reach neither the user nor another model', async (strategy) => {
    play(copyists(strategy));
    const { body, calls } = await app.complete(fieldsOf(strategy));
    expect(body.choices[0].message.content.trim()).toBe(FIXED_ANSWER);
    const candidates = body.choices[0].candidates?.map(({ response }) => response) ?? [];
    expect(candidates.length).toBeGreaterThan(0);
    const shown = calls.flatMap(shownTo).map(({ text }) => text);
    expect(shown.length).toBeGreaterThan(0);
    expect([...candidates, ...shown].filter((text) => text.includes('<<'))).toEqual([]);
    expect(body.degraded).toBeUndefined();
  });

  it.each(STRATEGY_NAMES)('%s: do not reach who reads the stream', async (strategy) => {
    play(copyists(strategy));
    await app.clock.advance(60_000);
    const { content, raw } = await readStream(await app.chat({ ...fieldsOf(strategy), stream: true }));
    expect(content.trim()).toBe(FIXED_ANSWER);
    expect(raw).not.toContain('<<');
  });

  it.each([
    ['the marks of its prompt', copied],
    ['its task', repeatedTask],
  ])('let the next model answer when one says nothing but %s', async (_, copy) => {
    const { script } = injectingModels('collaborative_synthesis', () => HARMLESS);
    play((call) => {
      if (call.purpose !== 'answer') return script(call);
      return { text: call.providerModel === ARBITER ? copy(call) : FIXED_ANSWER };
    });
    await app.clock.advance(60_000);
    const asked = { ...fieldsOf('collaborative_synthesis'), stream: true };
    const { content, raw } = await readStream(await app.chat(asked));
    expect(content).toBe(FIXED_ANSWER);
    expect(raw).toContain(`${ARBITER} (empty) failed to write the answer`);
  });

  it.each([true, false])('the task is better than no answer where no model says more, streamed: %s', async (stream) => {
    const { script } = injectingModels('collaborative_synthesis', () => HARMLESS);
    play((call) => (call.purpose === 'answer' ? { text: repeatedTask(call) } : script(call)));
    await app.clock.advance(60_000);
    const asked = { ...fieldsOf('collaborative_synthesis'), stream };
    const content = stream
      ? (await readStream(await app.chat(asked))).content
      : (await app.complete(asked)).body.choices[0].message.content;
    expect(content).toMatch(/^Write the reply the user will read/);
  });

  it.each([true, false])('leave words of the caller’s schema in an answer, streamed: %s', async (stream) => {
    const schema = { type: 'array', items: { enum: ['Complaint about a late delivery', 'Praise'] } };
    const answer = '[\n"Complaint about a late delivery",\n"Praise"\n]';
    play(() => ({ text: answer }));
    await app.clock.advance(60_000);
    const response_format = { type: 'json_schema', json_schema: { name: 'labels', schema } };
    const asked = { ...fieldsOf('collaborative_synthesis'), response_format, stream };
    const content = stream
      ? (await readStream(await app.chat(asked))).content
      : (await app.complete(asked)).body.choices[0].message.content;
    expect(JSON.parse(content)).toEqual(JSON.parse(answer));
  });

  it('stay where a model answers without an ensemble', async () => {
    let text = '';
    play((call) => {
      text ||= `${copied(call)}\nRome.`;
      return { text };
    });
    const { body } = await app.complete({ model: ARBITER, response_format: { type: 'json_object' } });
    expect(text).toMatch(/^<<[0-9a-f]{6} end of the user's message/);
    expect(body.choices[0].message.content).toBe(text);
    expect(body.degraded).toHaveLength(1);
  });
});
