import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { systemClock } from '../../src/lib/clock';
import type { TracedEvent } from '../../src/runs/trace-event';
import { errorBody } from '../support/api-errors';
import { type App, QUESTION, sharedApp, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { type Script, scriptedModels } from '../support/scripted-models';
import { answering, answersOf, BAD, BAD_FLAWS, GOOD, lastTurn, NOT_IN_FORM, SCHEMA } from '../support/verdict-format';
import { readStream } from '../support/wire';

/** A tool that an ensemble has to call (docs/api.md, Tools): its answer is that one call, in the form of the parameters. */

const PANEL = ['demo-blaise', 'demo-curie'];
const VERDICT = { name: 'verdict', description: 'Records what a tomato is.', parameters: SCHEMA };
const fn = (called: object) => ({ type: 'function', function: called });
const named = (name: string) => fn({ name });
const NOW = fn({ name: 'now' });
const FORCED = { tools: [fn(VERDICT)], tool_choice: named('verdict'), ai_ensemble: { models: PANEL } };
const ID = /^call_[\w-]{1,35}$/;
/** A reply that is the call, with these arguments. */
const calledWith = (json: string, name = 'verdict') => ({
  index: 0,
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: expect.stringMatching(ID), type: 'function', function: { name, arguments: json } }],
  },
  finish_reason: 'tool_calls',
});

const app = sharedApp();

/** The call in a stream: its pieces, and the reasons for its end. */
async function streamed(fields: object, by: Pick<App, 'chat'> = app) {
  const { chunks, content, done } = await readStream(await by.chat({ ...FORCED, ...fields, stream: true }));
  const pieces = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
  const json = pieces.map((piece) => piece.function.arguments).join('');
  return { chunks, content, done, pieces, json, finish: chunks.at(-1)?.choices[0]?.finish_reason };
}

describe.each([
  ...STRATEGY_NAMES.map((strategy) => [strategy, { strategy, rounds: 2 }] as const),
  ['mode auto', { mode: 'auto' }] as const,
])('%s', (_, options) => {
  const fields = { ...FORCED, ai_ensemble: { ...options, models: PANEL } };

  it('answers with the one call, in one piece and as a stream, and everybody who answers knows of it', async () => {
    app.models.play(answering(`Here it is:\n\`\`\`json\n${GOOD}\n\`\`\``));
    const { status, body, calls } = await app.complete(fields);
    expect({ status, ignored: body.ignored }).toEqual({ status: 200, ignored: undefined });
    expect(body.choices[0]).toMatchObject(calledWith(GOOD));
    for (const { purpose, prompt } of calls) {
      if (['cast', 'analyse'].includes(purpose)) continue;
      const told = prompt.turns.some(({ text }) => text.includes('the tool “verdict” (Records what a tomato is.)'));
      expect({ purpose, told, tools: prompt.tools }).toEqual({ purpose, told: true, tools: undefined });
    }
    const stream = await streamed(fields);
    expect(stream).toMatchObject({ content: '', done: true, json: GOOD, finish: 'tool_calls' });
    expect(stream.pieces[0]).toMatchObject({ index: 0, id: expect.stringMatching(ID), type: 'function' });
  });
});

describe('the call', () => {
  it('is streamed as it is written where the provider enforces the schema', async () => {
    const clock = fakeClock();
    const provider = { ...scriptedModels(clock, answering(`\n ${GOOD}`)), holds: () => true };
    await using held = await startApp({ clock, provider });
    const { pieces, json, content, finish } = await streamed({}, held);
    expect({ json: json.trim(), content, finish }).toEqual({ json: GOOD, content: '', finish: 'tool_calls' });
    expect(pieces.length).toBeGreaterThan(3);
    const [first, ...more] = pieces;
    expect(first).toMatchObject({ index: 0, type: 'function', function: { name: 'verdict' } });
    expect(more.every((piece) => piece.index === 0 && !('id' in piece) && !('name' in piece.function))).toBe(true);
  });

  it('that is cut off while it is streamed keeps the arguments that came, and degraded says so', async () => {
    const clock = fakeClock();
    const cut = '{"fruit": true, "why": "It';
    const script: Script = (call) => ({
      ...answering(cut)(call),
      ...(call.purpose === 'answer' && { finishReason: 'length' }),
    });
    await using held = await startApp({ clock, provider: { ...scriptedModels(clock, script), holds: () => true } });
    const { json, finish, done, chunks } = await streamed({}, held);
    expect({ json, finish, done }).toEqual({ json: cut, finish: 'tool_calls', done: true });
    expect(chunks.at(-1)?.degraded).toEqual([
      'Demo Ada reached its length limit: the answer is cut off',
      `${NOT_IN_FORM}it is not one JSON value`,
    ]);
  });

  it.each([
    ['required with one tool', { tool_choice: 'required' }],
    ['one of several tools by name', { tools: [NOW, fn(VERDICT)] }],
    [
      'an earlier conversation without calls',
      {
        messages: [
          { role: 'user', content: 'Hello.' },
          { role: 'assistant', content: 'Hello!', reasoning_content: 'Hm.' },
          { role: 'user', content: QUESTION },
        ],
      },
    ],
    ['parallel calls allowed or not', { parallel_tool_calls: false }],
  ])('is made with %s', async (_, fields) => {
    app.models.play(answering(GOOD));
    const { body } = await app.complete({ ...FORCED, ...fields });
    expect(body.choices[0]).toEqual(calledWith(GOOD));
    expect(body.ignored).toBeUndefined();
  });

  it('is made by two drafts of the same object on demand', async () => {
    app.models.play(({ purpose }) => ({ text: purpose === 'draft' ? `PANEL: yes\n${GOOD}` : BAD }));
    const fields = { ...FORCED, ai_ensemble: { models: PANEL, mode: 'auto' } };
    const { body, calls } = await app.complete(fields);
    expect(body.choices[0]).toMatchObject(calledWith(GOOD));
    expect(calls.map(({ purpose }) => purpose)).toEqual(['draft', 'draft']);
    expect(await streamed(fields)).toMatchObject({ json: GOOD, content: '', finish: 'tool_calls' });
  });

  it('has another id in each reply, but not in a reply that is repeated', async () => {
    app.models.play(answering(GOOD));
    const ids: string[] = [];
    for (const key of ['a', 'a', 'b']) {
      const reply = await app.post(
        '/v1/chat/completions',
        { ...FORCED, model: 'demo-ada', messages: [{ role: 'user', content: QUESTION }] },
        { 'idempotency-key': key },
      );
      ids.push(JSON.parse(await reply.text()).choices[0].message.tool_calls[0].id);
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('stands beside candidates, agreement by place, explanation and checks, as an answer in a form does', async () => {
    const drafts: Record<string, string> = {
      'demo-blaise': GOOD,
      'demo-curie': '{"fruit": false, "why": "It has seeds."}',
    };
    const script: Script = (call) =>
      call.purpose === 'draft' || call.purpose === 'revise'
        ? { text: drafts[call.providerModel] ?? '' }
        : answering(GOOD)(call);
    app.models.play(script);
    const { body } = await app.complete({
      ...FORCED,
      ai_ensemble: {
        strategy: 'collaborative_synthesis',
        models: PANEL,
        includeCandidates: true,
        includeReasoning: true,
        checks: { maxWords: 100 },
      },
    });
    const [choice] = body.choices;
    expect(choice).toMatchObject(calledWith(GOOD));
    expect(choice.message.explanation).toContain('Both say that it is a berry.');
    expect(choice).toMatchObject({
      agreement: { '/fruit': 0.5, '/why': 1 },
      checks: [{ check: 'maxWords', passed: true }],
    });
    expect(choice.candidates).toHaveLength(2);
  });

  it('is an answer in the trace of its run', async () => {
    app.models.play(answering(GOOD));
    const { body } = await app.complete({ ...FORCED, ai_ensemble: { models: PANEL, includeTrace: true } });
    expect(body.choices[0]).toEqual(calledWith(GOOD));
    const answer = (body as typeof body & { trace: TracedEvent[] }).trace
      .flatMap((event) => (event.type === 'answer' ? [event.text] : []))
      .join('');
    expect(answer).toBe(GOOD);
  });

  it('goes before the form of a text, which is listed as ignored', async () => {
    app.models.play(answering(GOOD));
    const format = { type: 'json_schema', json_schema: { name: 'other', schema: { type: 'object', properties: {} } } };
    const { body, calls } = await app.complete({ ...FORCED, response_format: format });
    expect(body.choices[0]).toEqual(calledWith(GOOD));
    expect(body.ignored).toEqual(['response_format']);
    expect(answersOf(calls).map(({ outputSchema }) => outputSchema?.name)).toEqual(['verdict']);
    const text = await app.complete({ ...FORCED, response_format: { type: 'text' } });
    expect(text.body.ignored).toBeUndefined();
  });
});

describe('the schema', () => {
  const schemaOf = async (called: object) => {
    app.models.play(answering('{}'));
    const { body, calls } = await app.complete({ ...FORCED, tools: [fn({ name: 'verdict', ...called })] });
    return { body, schema: answersOf(calls)[0]?.outputSchema };
  };
  const NONE = { type: 'object', properties: {}, required: [], additionalProperties: false };

  it.each<[rule: string, called: object, schema: object, strict: boolean]>([
    ['is that of no arguments for a tool without parameters', {}, NONE, true],
    ['is enforced where it can be', { parameters: NONE }, NONE, true],
    ['is not enforced where the tool says so', { parameters: NONE, strict: false }, NONE, false],
    [
      'is that of an object where it names no type',
      { parameters: { title: 'x' } },
      { title: 'x', type: 'object' },
      false,
    ],
  ])('%s', async (_, called, schema, strict) => {
    const sent = await schemaOf(called);
    expect(sent.body.choices[0]).toEqual(calledWith('{}'));
    expect(sent.schema).toEqual({ name: 'verdict', schema, strict });
  });

  it('that takes too long to follow is not checked, which degraded says', async () => {
    const { body } = await schemaOf({ parameters: { allOf: [{ $ref: '#' }, { $ref: '#' }] } });
    expect(body.choices[0]).toEqual(calledWith('{}'));
    expect(body.degraded).toEqual(['The answer was not checked: its JSON Schema takes too long to follow']);
  });
});

describe('an answer out of form', () => {
  it('is asked for once more', async () => {
    app.models.play(answering('A fruit.', GOOD));
    const { body, calls } = await app.complete(FORCED);
    expect(body.choices[0]).toEqual(calledWith(GOOD));
    expect(answersOf(calls)).toHaveLength(2);
    expect(lastTurn(answersOf(calls)[1])).toContain('it is not one JSON value');
    expect(body.degraded).toBeUndefined();
  });

  it('is still the call where it is an object, which degraded tells', async () => {
    app.models.play(answering(BAD));
    const { body } = await app.complete(FORCED);
    expect(body.choices[0]).toEqual(calledWith(BAD));
    expect(body.degraded).toEqual([NOT_IN_FORM + BAD_FLAWS]);
  });

  it.each([
    ['prose', 'I cannot say.', 'it is not one JSON value'],
    ['a list', `[${GOOD}]`, 'the value must be object'],
  ])('is a text and no call where it is %s', async (_, text, flaw) => {
    app.models.play(answering(text));
    const { body } = await app.complete(FORCED);
    expect(body.choices[0]).toEqual({ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' });
    expect(body.degraded).toEqual([NOT_IN_FORM + flaw]);
    const { content, pieces, finish, chunks } = await streamed({});
    expect({ content, pieces, finish }).toEqual({ content: text, pieces: [], finish: 'stop' });
    expect(chunks.at(-1)?.degraded).toEqual([NOT_IN_FORM + flaw]);
  });

  it('of two objects the last one counts', async () => {
    app.models.play(answering(`${BAD}\n${GOOD}`));
    const { body } = await app.complete(FORCED);
    expect(body.choices[0]).toEqual(calledWith(GOOD));
  });
});

describe('a whole call that a model writes in the place of its arguments', () => {
  const open = { type: 'object', properties: { word: { type: 'string' } } };
  const WORD = '{"word": "{tomato}", "n": 12345678901234567890}';
  it.each<[rule: string, parameters: object, written: string, taken: string]>([
    ['is taken off', SCHEMA, `{"name": "verdict", "arguments": ${GOOD}}`, GOOD],
    ['is taken off though the schema allows anything', open, `{"parameters": ${WORD}, "name": "verdict"}`, WORD],
    ...[
      ['of another tool', open, `{"name": "now", "arguments": ${WORD}}`],
      [
        'where the tool has such an argument',
        { properties: { arguments: open } },
        `{"name": "verdict", "arguments": ${WORD}}`,
      ],
      ['where something stands beside it', open, `{"name": "verdict", "arguments": ${WORD}, "id": 1}`],
    ].map(([where, parameters, written]): [string, object, string, string] => [
      `is not taken off ${where}`,
      parameters as object,
      written as string,
      written as string,
    ]),
  ])('%s', async (_, parameters, written, taken) => {
    app.models.play(answering(`<tool_call>${written}</tool_call>`));
    const { body, calls } = await app.complete({ ...FORCED, tools: [fn({ ...VERDICT, parameters })] });
    expect(body.choices[0]).toEqual(calledWith(taken));
    expect({ asked: answersOf(calls).length, degraded: body.degraded }).toEqual({ asked: 1, degraded: undefined });
  });

  it('is not taken off where its arguments do not fit', async () => {
    app.models.play(answering(`{"name": "verdict", "arguments": ${BAD}}`, GOOD));
    const { body, calls } = await app.complete(FORCED);
    expect(body.choices[0]).toEqual(calledWith(GOOD));
    expect(answersOf(calls)).toHaveLength(2);
  });
});

describe('a model that writes megabytes', () => {
  const WHY = 'x'.repeat(4_000_000);
  it.each<[what: string, text: string, isCall: boolean]>([
    ['of prose', WHY, false],
    ['in an object', JSON.stringify({ fruit: true, why: WHY }), true],
  ])('%s is passed on whole, and told', async (_, text, isCall) => {
    // A long text is read at a pace.
    await using paced = await startApp({ clock: systemClock, script: answering(text) });
    const { body } = await paced.complete(FORCED);
    const { content, tool_calls: [call] = [] } = body.choices[0].message;
    const given = { content: content === text, json: call?.function.arguments === text };
    expect(given).toEqual({ content: !isCall, json: isCall });
    const stream = await streamed({}, paced);
    expect({ content: stream.content === text, json: stream.json === text }).toEqual(given);
    for (const { degraded } of [body, stream.chunks.at(-1) ?? {}]) {
      expect(degraded).toEqual([`${NOT_IN_FORM}it is not one JSON value`]);
    }
  });
});

describe('a request that no ensemble can fulfil', () => {
  const PARAMETERS = 'tools[0].function.parameters: ';
  it.each<[fields: object, rule: string]>([
    [{ tool_choice: named('now') }, 'tool_choice: names no tool of tools'],
    [{ tools: undefined }, 'tool_choice: names no tool of tools'],
    [
      { tool_choice: { type: 'function' } },
      'tool_choice: must be none, auto, required, or the name of a function as {"type": "function", "function": {"name": "…"}}',
    ],
    [
      { tools: [fn({ ...VERDICT, parameters: { type: 'array' } })] },
      `${PARAMETERS}must have the type object, as the arguments of a call are one`,
    ],
    [
      { tools: [fn({ ...VERDICT, parameters: { title: 'x'.repeat(100_000) } })] },
      `tools[0].function: at most 100,000 characters as JSON`,
    ],
    [
      { messages: [{ role: 'user', content: ' ' }] },
      'messages[0].content: the last message is the prompt and must not be empty',
    ],
  ])('is a 400 (case %#)', async (fields, rule) => {
    const { status, body, calls } = await app.complete({ ...FORCED, ...fields });
    expect({ status, body, calls }).toEqual({ status: 400, body: errorBody(`Invalid ${rule}`), calls: [] });
  });
});
