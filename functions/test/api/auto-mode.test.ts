import { sleep } from '../../src/lib/clock';
import type { ModelProvider } from '../../src/models/model';
import { ModelFault } from '../../src/models/model-fault';
import { type App, QUESTION, sharedApp, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import type { Script } from '../support/scripted-models';
import { until } from '../support/until';
import { readStream } from '../support/wire';

/** `mode: "auto"`: two drafts that may end the run, and else count as their participants'. */

const [ADA, BLAISE, CURIE] = ['demo-ada', 'demo-blaise', 'demo-curie'];
const WITH_ARBITER = [ADA, BLAISE];
const WITHOUT_ARBITER = [BLAISE, CURIE];
const NO = 'PANEL: no\n';
const YES = 'PANEL: yes\n';
const PROSE = 'It depends on who asks.';
const OTHER_PROSE = 'Cooks and botanists differ.';

/** The first draft of the arbiter's model, demo-ada, and any first text of the others. */
const says =
  (first: string, others = 'A draft of theirs that is prose.'): Script =>
  ({ purpose, prompt, providerModel }) => {
    if (prompt.turns.at(-1)?.text.includes('"PANEL: no"')) return { text: first };
    return { text: purpose === 'draft' ? others : `${purpose} of ${providerModel}` };
  };
const ALONE = says(`${NO}Hello!`);
const PANEL = says(`${YES}The first draft.`);
const FIRST_TWO = [`draft ${ADA}`, `draft ${BLAISE}`];
/** Calls that follow where the panel answers. */
const AFTER = [`draft ${CURIE}`, `answer ${ADA}`];

const VALUES = {
  type: 'object',
  properties: { answer: { type: 'number' }, why: { type: 'string' } },
  required: ['answer', 'why'],
  additionalProperties: false,
};
const FORM = { response_format: { type: 'json_schema', json_schema: { name: 'result', schema: VALUES } } };
const json = (answer: number, why: string): string => JSON.stringify({ answer, why });
const WHY = 'Because it was worked out step by step, twice.';
const ALSO_WHY = 'It follows from the two numbers that are given.';

/** Drafts, and whether the matter is settled with them. */
interface Row {
  readonly rule: string;
  readonly first: string;
  readonly second: string;
  readonly fields?: object;
  readonly checks?: object;
  /** The answer without a panel; absent where the panel plays. */
  readonly settled?: string;
}

const ROWS: readonly Row[] = [
  {
    rule: 'the same final answer, whoever is sure',
    first: `${YES}So:\nAnswer: 1,000`,
    second: 'ANSWER: 1000.0',
    settled: 'So:\nAnswer: 1,000',
  },
  { rule: 'the same word', first: `${YES}Paris`, second: 'paris.', settled: 'Paris' },
  { rule: 'other numbers, however sure the arbiter is', first: `${NO}42`, second: '43' },
  { rule: 'other final answers, however sure', first: `${NO}So:\nAnswer: 42`, second: 'Answer: 43' },
  { rule: 'a greeting, which may differ', first: `${NO}Hello!`, second: 'Hi there!', settled: 'Hello!' },
  {
    rule: 'titles, which may differ',
    first: `${NO}Tomatoes: Fruit or Not`,
    second: 'The Tomato Question',
    settled: 'Tomatoes: Fruit or Not',
  },
  {
    rule: 'JSON in no form, which may differ',
    first: `${NO}{"tags": ["food"]}`,
    second: '{"tags": ["science"]}',
    settled: '{"tags": ["food"]}',
  },
  { rule: 'prose, and the arbiter is sure', first: `${NO}${PROSE}`, second: OTHER_PROSE, settled: PROSE },
  { rule: 'prose, and the arbiter is not', first: `${YES}${PROSE}`, second: OTHER_PROSE },
  { rule: 'prose, and the arbiter does not say', first: PROSE, second: OTHER_PROSE },
  {
    rule: 'the same values in a form',
    fields: FORM,
    first: `${YES}${json(42, WHY)}`,
    second: `Here: ${JSON.stringify({ why: WHY, answer: 42 })}`,
    settled: json(42, WHY),
  },
  { rule: 'other values in a form, however sure', fields: FORM, first: `${NO}${json(42, WHY)}`, second: json(43, WHY) },
  {
    rule: 'the same values beside other prose, and sure',
    fields: FORM,
    first: `${NO}${json(42, WHY)}`,
    second: json(42, ALSO_WHY),
    settled: json(42, WHY),
  },
  {
    rule: 'the same values beside other prose, and unsure',
    fields: FORM,
    first: `${YES}${json(42, WHY)}`,
    second: json(42, ALSO_WHY),
  },
  { rule: 'a draft out of form', fields: FORM, first: `${NO}{"answer": 42}`, second: '{"answer": 42}' },
  {
    rule: 'a pattern that both match',
    checks: { regex: 'who asks|differ' },
    first: `${YES}${PROSE}`,
    second: OTHER_PROSE,
    settled: PROSE,
  },
  { rule: 'a pattern that one matches', checks: { regex: 'who asks' }, first: `${YES}${PROSE}`, second: OTHER_PROSE },
  { rule: 'a pattern that both match with other answers', checks: { regex: '^\\d+$' }, first: `${NO}42`, second: '43' },
  {
    rule: 'a schema that both fit with other values',
    checks: { jsonSchema: VALUES },
    first: `${NO}${json(42, WHY)}`,
    second: json(43, WHY),
  },
  { rule: 'few words, which prove nothing', checks: { maxWords: 50 }, first: `${YES}${PROSE}`, second: OTHER_PROSE },
  {
    rule: 'few words, and the arbiter is sure',
    checks: { maxWords: 50 },
    first: `${NO}${PROSE}`,
    second: OTHER_PROSE,
    settled: PROSE,
  },
  { rule: 'the same answer, which fails a check', checks: { regex: 'kg' }, first: `${YES}42`, second: '42' },
];

describe('a run on demand', () => {
  const app = sharedApp();

  const made = (calls: readonly { purpose: string; providerModel: string }[]): string[] =>
    calls.map(({ purpose, providerModel }) => `${purpose} ${providerModel}`);

  it.each(ROWS)('$rule', async ({ first, second, fields, checks, settled }) => {
    app.models.play(says(first, second));
    const options = { mode: 'auto', models: [ADA, BLAISE, CURIE], includeCandidates: true, ...(checks && { checks }) };
    const { calls, body } = await app.complete({ ...fields, ai_ensemble: options });
    // An answer of the panel that fails is asked for again, which is another matter.
    expect([...new Set(made(calls))]).toEqual(settled === undefined ? [...FIRST_TWO, ...AFTER] : FIRST_TWO);
    const [choice] = body.choices;
    expect(choice.message.content).toBe(settled ?? `answer of ${ADA}`);
    if (settled === undefined) return;
    expect(body).not.toHaveProperty('degraded');
    expect(choice.candidates?.[0]).toMatchObject({ modelId: ADA });
    expect(choice.checks?.every(({ passed }) => passed)).toBe(checks ? true : undefined);
    // A stream says the same.
    app.models.reset();
    app.models.play(says(first, second));
    const { content, raw } = await readStream(await app.chat({ stream: true, ...fields, ai_ensemble: options }));
    expect([content, raw.includes('PANEL')]).toEqual([settled, false]);
  });

  it('with the same answer both drafts are candidates, agree, and are explained', async () => {
    app.models.play(says(`${YES}42`, '42'));
    const options = { mode: 'auto', models: WITH_ARBITER, includeCandidates: true, includeReasoning: true };
    const { body } = await app.complete({ ai_ensemble: options });
    const [{ candidates, agreement, message }] = body.choices;
    expect(candidates?.map(({ modelId, response }) => [modelId, response])).toEqual([
      [ADA, '42'],
      [BLAISE, '42'],
    ]);
    expect(agreement).toMatchObject({ share: 1, measuredOn: 'final_answers' });
    expect(message.explanation).toBe(
      'Demo Ada and Demo Blaise gave the same answer, each by itself: nobody else was asked.',
    );
  });

  it.each(['competitive_refinement', 'debate_tournament', 'hierarchical', 'expert_panel'])(
    '%s: a draft that needs no panel is the answer, with the request’s instructions and sampling',
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
      expect(made(calls)).toEqual(FIRST_TWO);
      expect([calls[0]?.sampling, calls[0]?.prompt.system]).toEqual([{ temperature: 0.4 }, 'Be brief.']);
      expect(calls[1]?.sampling).toEqual({});
      expect(body.choices[0].message.content).toBe('Hello!');
      expect(body).not.toHaveProperty('degraded');
      // Its tokens are in the totals: the ledger has the row.
      expect(body.usage['completion_tokens']).toBeGreaterThan(0);
    },
  );

  it('prose that needs no panel is read while the other still writes, who is given up then', async () => {
    const traces = { mode: 'auto', models: WITH_ARBITER, includeTrace: true };
    app.models.play((call) => ({ ...says(`${NO}${PROSE}`)(call), delayMs: call.providerModel === BLAISE ? 1e6 : 0 }));
    // Time stands still: whoever waited for the other would never end.
    const { content, raw, done } = await readStream(await app.chat({ stream: true, ai_ensemble: traces }));
    expect([content, done]).toEqual([PROSE, true]);
    expect(raw).toContain('the answer was there first');
    expect(raw).not.toContain('too slow');
  });

  it('prose that needs no panel ends a reply in one piece, too, without the other', async () => {
    app.models.play((call) => ({ ...says(`${NO}${PROSE}`)(call), delayMs: call.providerModel === BLAISE ? 1e6 : 0 }));
    const { body } = await app.complete({ ai_ensemble: { mode: 'auto', models: WITH_ARBITER } });
    expect(body.choices[0].message.content).toBe(PROSE);
  });

  /** The content of a stream of whose first draft one piece comes after a second, the rest much later; the other is there. */
  const slowly = async (
    pieces: readonly [string, string],
    second: string,
    laterSeconds: number,
    options: object = {},
  ): Promise<string> => {
    const clock = fakeClock();
    let isAsked = false;
    const provider: ModelProvider = {
      run: async ({ prompt, signal, purpose }, listener) => {
        isAsked = true;
        if (!prompt.turns.at(-1)?.text.includes('"PANEL: no"')) {
          await listener.text(purpose === 'draft' ? second : 'The panel.');
          return 'stop';
        }
        await sleep(clock, 1_000, signal);
        await listener.text(pieces[0]);
        await sleep(clock, laterSeconds * 1_000, signal);
        await listener.text(pieces[1]);
        return 'stop';
      },
    };
    await using slow = await startApp({ clock, provider });
    const sent = slow.chat({ stream: true, ai_ensemble: { mode: 'auto', models: WITH_ARBITER, ...options } });
    let content: string | undefined;
    void sent.then(readStream).then((read) => {
      content = read.content;
    });
    // Time that passes before is the caps', too.
    await until(() => isAsked);
    await until(async () => {
      await clock.advance(1_000);
      return content !== undefined;
    });
    return content ?? '';
  };

  it('a draft that is being read is not given up, however quick the other was', async () => {
    expect(await slowly([`${NO}It depends on `, 'who asks.'], OTHER_PROSE, 60)).toBe(PROSE);
    // A cap ends waves, but no answer.
    expect(await slowly([`${NO}It depends on `, 'who asks.'], OTHER_PROSE, 60, { maxSeconds: 65 })).toBe(PROSE);
  });

  it('a draft that is being read after the wave has ended is given up when its client leaves', async () => {
    const clock = fakeClock();
    const signals: AbortSignal[] = [];
    const provider: ModelProvider = {
      run: async ({ prompt, signal }, listener) => {
        const isFirst = prompt.turns.at(-1)?.text.includes('"PANEL: no"');
        if (isFirst) await sleep(clock, 1_000, signal);
        if (isFirst) signals.push(signal);
        await listener.text(isFirst ? `${NO}It depends on ` : OTHER_PROSE);
        if (isFirst) await sleep(clock, 1e6, signal);
        return 'stop';
      },
    };
    await using slow = await startApp({ clock, provider });
    const reply = await slow.chat({ stream: true, ai_ensemble: { mode: 'auto', models: WITH_ARBITER } });
    await until(async () => {
      await clock.advance(1_000);
      return signals.length === 1;
    });
    await clock.advance(50_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await reply.body?.cancel();
    await until(() => signals[0]?.aborted === true);
  });

  it('a draft that may yet state something else than the other is not read before it is whole', async () => {
    expect(await slowly([`${NO}It is worked out like this.`, '\nAnswer: 42'], 'Answer: 43', 40)).toBe('The panel.');
  });

  it('a draft that breaks off while it is read is an error, and nobody else is asked', async () => {
    const fault = new ModelFault('overloaded', { retryAfterSeconds: 9_999 });
    app.models.play((call) => (call.providerModel === ADA ? { text: `${NO}${PROSE}`, fault } : { text: OTHER_PROSE }));
    const options = { mode: 'auto', models: WITH_ARBITER };
    const { content, raw } = await readStream(await app.chat({ stream: true, ai_ensemble: options }));
    expect(content).toBe(PROSE);
    expect(raw).toContain('The answer was cut off: demo-ada (overloaded)');
    expect(made(app.models.calls)).toEqual(FIRST_TWO);
  });

  it('a draft that its provider has cut off is the answer, and that is said', async () => {
    app.models.play((call) => ({ ...says(`${NO}${PROSE}`)(call), finishReason: 'length' }));
    const { body } = await app.complete({ ai_ensemble: { mode: 'auto', models: WITH_ARBITER } });
    expect(body.choices[0].message.content).toBe(PROSE);
    expect(body.degraded).toContain('Demo Ada: the answer is cut off');
  });

  it.each<[rule: string, message: string, first: string]>([
    [
      'a final answer that was asked for',
      `${QUESTION} End with "Answer: " and one word.`,
      `${NO}It is.\nAnswer: fruit`,
    ],
    ['a bare number', 'How many?', `${NO}42`],
  ])('%s is held in a stream until the other is in', async (_, content, first) => {
    app.models.play(says(first, 'Answer: 43'));
    const messages = [{ role: 'user', content }];
    const reply = await readStream(
      await app.chat({ stream: true, messages, ai_ensemble: { mode: 'auto', models: WITH_ARBITER } }),
    );
    expect(reply.content).toBe(`answer of ${ADA}`);
  });

  it('the drafts are those of their participants: no call more than without', async () => {
    app.models.play(PANEL);
    const options = { mode: 'auto', models: WITH_ARBITER, includeCandidates: true };
    const { calls, body } = await app.complete({ ai_ensemble: options });
    expect(made(calls)).toEqual([...FIRST_TWO, `answer ${ADA}`]);
    expect(body.choices[0].candidates?.map(({ modelId, response }) => [modelId, response])).toEqual([
      [ADA, 'The first draft.'],
      [BLAISE, 'A draft of theirs that is prose.'],
    ]);
    expect(calls.at(-1)?.prompt.turns.at(-1)?.text).not.toContain('PANEL');
  });

  it('that of an arbiter who is no participant is read with the others, one call more', async () => {
    app.models.play(PANEL);
    const { calls } = await app.complete({ ai_ensemble: { mode: 'auto', models: WITHOUT_ARBITER, rounds: 2 } });
    expect(made(calls)).toEqual([
      ...FIRST_TWO,
      `draft ${CURIE}`,
      `revise ${BLAISE}`,
      `revise ${CURIE}`,
      `answer ${ADA}`,
    ]);
    for (const { prompt } of calls.slice(3)) expect(prompt.turns.at(-1)?.text).toContain('The first draft.');
  });

  it.each([
    ['there twice', [ADA, ADA], 'competitive_refinement'],
    ['first there with settings', [{ id: ADA, temperature: 1 }, ADA], 'competitive_refinement'],
    ['alone, and of no use to a strategy whose first texts have a form of their own', [ADA], 'chain_of_thought'],
  ])('the draft of a model that is %s stands for one seat or none', async (_, models, strategy) => {
    app.models.play(PANEL);
    const { calls } = await app.complete({ ai_ensemble: { mode: 'auto', models, strategy } });
    expect(made(calls)).toEqual([`draft ${ADA}`, `draft ${ADA}`, `answer ${ADA}`]);
    const alone = typeof models[0] === 'object' ? { temperature: 1 } : {};
    // The seat with settings drafts by itself.
    expect(calls[1]?.sampling).toEqual(alone);
  });

  it('the second is the first of another model, and one that writes at once', async () => {
    app.models.play(PANEL);
    const models = [ADA, { id: 'demo-ada', temperature: 1 }, 'o3', 'gpt-4o-mini', BLAISE];
    const { calls } = await app.complete({ ai_ensemble: { mode: 'auto', models } });
    expect(made(calls).slice(0, 2)).toEqual([`draft ${ADA}`, 'draft gpt-4o-mini']);
  });

  it.each<[who: string, first: string, then: readonly string[], content: string]>([
    [ADA, `${NO}Hello!`, [`draft ${ADA}`, `answer ${ADA}`], `answer of ${ADA}`],
    [BLAISE, `${YES}${PROSE}`, [`draft ${BLAISE}`, `answer ${ADA}`], `answer of ${ADA}`],
    [BLAISE, `${NO}42`, [], '42'],
  ])('a first draft of %s that fails is said, with %j of the arbiter', async (who, first, then, content) => {
    const fault = new ModelFault('overloaded', { retryAfterSeconds: 9_999 });
    const failed = new Set<string>();
    app.models.play((call) => {
      const { providerModel } = call;
      const isFirst = call.purpose === 'draft' && providerModel === who && !failed.has(who);
      if (isFirst) failed.add(who);
      return isFirst ? { text: '', fault } : says(first)(call);
    });
    const { calls, body } = await app.complete({ ai_ensemble: { mode: 'auto', models: WITH_ARBITER } });
    expect(made(calls)).toEqual([...FIRST_TWO, ...then]);
    expect(body.degraded).toEqual([`Demo ${who === ADA ? 'Ada' : 'Blaise'} did not answer in round 1 (overloaded)`]);
    expect(body.choices[0].message.content).toBe(content);
  });

  it('with an explanation it says that one model answered alone', async () => {
    app.models.play(ALONE);
    const { body } = await app.complete({
      ai_ensemble: { mode: 'auto', models: WITH_ARBITER, includeReasoning: true },
    });
    expect(body.choices[0].message.explanation).toBe('Demo Ada answered alone: it saw no need for a panel.');
  });

  it('a tool that has to be called is called with arguments that both drafts have', async () => {
    app.models.play(says(`${YES}${json(42, WHY)}`, json(42, WHY)));
    const tools = [{ type: 'function', function: { name: 'report', parameters: VALUES } }];
    const forced = { tools, tool_choice: 'required', ai_ensemble: { mode: 'auto', models: [ADA, BLAISE, CURIE] } };
    const { calls, body } = await app.complete(forced);
    expect(made(calls)).toEqual(FIRST_TWO);
    const [{ message, finish_reason }] = body.choices;
    expect(finish_reason).toBe('tool_calls');
    expect(message.tool_calls).toMatchObject([{ function: { name: 'report', arguments: json(42, WHY) } }]);
  });

  it('is off unless asked for: by the mode, or by a virtual id that ends in -auto', async () => {
    const asked = async (fields: Parameters<App['complete']>[0]) => {
      app.models.reset();
      app.models.play(ALONE);
      return (await app.complete(fields)).calls.length;
    };
    expect(await asked({ model: 'ensemble-auto' })).toBe(2);
    expect(await asked({ model: 'ensemble-debate-tournament-auto' })).toBe(2);
    expect(await asked({ model: 'ensemble' })).toBeGreaterThan(2);
    expect(await asked({ model: 'ensemble-auto', ai_ensemble: { mode: 'panel' } })).toBeGreaterThan(2);
    expect(await asked({ ai_ensemble: { models: WITH_ARBITER } })).toBe(3);
  });
});
