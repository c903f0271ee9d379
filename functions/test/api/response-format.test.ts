import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { errorBody } from '../support/api-errors';
import { CHAT_PATH, RESPONSES_PATH, RUN_ENDPOINTS, sharedApp, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { failing, type ScriptedReply, scriptedModels } from '../support/scripted-models';
import {
  answering,
  answersOf,
  BAD,
  BAD_FLAWS,
  FORM,
  FORMAT,
  GOOD,
  lastTurn,
  NOT_IN_FORM,
  SCHEMA,
} from '../support/verdict-format';
import { readStream } from '../support/wire';

/** Structured output (docs/api.md): what is accepted, what models are told, how the answer is checked and repaired. */

const PANEL = ['demo-blaise', 'demo-curie'];

const app = sharedApp();

/** The same form as each endpoint has it. */
const FIELDS: Readonly<
  Record<string, { field: string; of: (form: Record<string, unknown>) => Record<string, unknown> }>
> = {
  [CHAT_PATH]: {
    field: 'response_format',
    of: ({ type, ...form }) => ({ response_format: { type, ...(type === 'json_schema' && { json_schema: form }) } }),
  },
  [RESPONSES_PATH]: { field: 'text.format', of: (format) => ({ text: { format } }) },
};

describe.each(RUN_ENDPOINTS)('POST $path: the form of the answer', ({ path, send, answerOf }) => {
  const { field = '', of = () => ({}) } = FIELDS[path] ?? {};
  const nested = path === CHAT_PATH ? `${field}.json_schema` : field;
  const sent = (change: Record<string, unknown>) => of({ type: 'json_schema', ...FORM, ...change });

  const TYPE = `${field}.type: must be one of text, json_object, json_schema`;
  const NAME = `${nested}.name: must be 1 to 64 letters, digits, underscores and dashes`;
  const SCHEMA_RULE = `${nested}.schema: must be an object`;

  it.each<[message: string, fields: Record<string, unknown>]>([
    [TYPE, of({ type: 'xml' })],
    [TYPE, of({ type: undefined })],
    ...[undefined, 'a b', 'a'.repeat(65)].map((name): [string, object] => [NAME, sent({ name })]),
    ...[undefined, [], '{}'].map((schema): [string, object] => [SCHEMA_RULE, sent({ schema })]),
    [`${nested}.schema: at most 100,000 characters as JSON`, sent({ schema: { title: 'x'.repeat(100_000) } })],
    [`${nested}.strict: must be a boolean`, sent({ strict: 'yes' })],
    [`${nested}.description: must be a string`, sent({ description: 7 })],
    [`${nested}.description: at most 2,000 characters`, sent({ description: 'x'.repeat(2_001) })],
  ])('%s: a 400, and no model is called', async (message, fields) => {
    const { status, body, calls } = await send(app, fields);
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Invalid ${message}`) });
    expect(calls).toEqual([]);
  });

  it.each([
    ['type text', of({ type: 'text' })],
    ['null', { response_format: null, text: null }],
  ])('%s is as if nothing was said', async (_, fields) => {
    const { calls, body } = await send(app, fields);
    expect(answerOf(body)).toBe('Botanically it is a berry.');
    expect(calls.map(({ prompt, outputSchema }) => [lastTurn({ prompt } as ProviderCall), outputSchema])).toEqual([
      ['Is a tomato a fruit?', undefined],
    ]);
  });

  it('the answer is held to the schema, by the provider and in words, and is the JSON alone', async () => {
    app.models.play(answering(`Here it is:\n\`\`\`json\n${GOOD}\n\`\`\``));
    const { calls, body } = await send(app, sent({ description: 'what a tomato is' }));
    expect(answerOf(body)).toBe(GOOD);
    expect(body).not.toHaveProperty('degraded');
    expect(calls.map(({ outputSchema }) => outputSchema)).toEqual([{ name: 'verdict', schema: SCHEMA, strict: true }]);
    const words = lastTurn(calls[0]);
    expect(words).toContain(JSON.stringify(SCHEMA));
    expect(words).toContain('“verdict” (what a tomato is)');
    expect(words).toMatch(/nothing else[^\n]*$/);
  });

  it.each(['json_object', ...(path === CHAT_PATH ? ['json_schema'] : [])])(
    'of type %s with a schema beside the type it is what the schema says',
    async (name) => {
      const format = { type: name, schema: SCHEMA };
      app.models.play(answering(GOOD));
      const { status, calls } = await send(
        app,
        path === CHAT_PATH ? { response_format: format } : { text: { format } },
      );
      expect(status).toBe(200);
      expect(calls.map(({ outputSchema }) => outputSchema)).toEqual([{ name, schema: SCHEMA, strict: true }]);
    },
  );

  it('of type json_object it is any object', async () => {
    app.models.play(answering('{"a": 1}'));
    const good = await send(app, of({ type: 'json_object' }));
    expect(answerOf(good.body)).toBe('{"a": 1}');
    expect(good.calls.map(({ outputSchema }) => outputSchema)).toEqual([{ name: 'json_object' }]);
    app.models.play(answering('[1]', '[2]'));
    const { body } = await send(app, of({ type: 'json_object' }));
    expect(body.degraded).toEqual([`${NOT_IN_FORM}the value must be object`]);
  });
});

it('text.format of responses that is no object is a 400', async () => {
  const { status, body } = await app.respond({ text: { format: 7 } });
  expect({ status, body }).toEqual({ status: 400, body: errorBody('Invalid text.format: must be an object') });
});

describe('what a provider is told of strictness', () => {
  const open = { ...SCHEMA, required: ['fruit'] };
  it.each<[rule: string, form: object, strict: boolean]>([
    ['a closed schema is enforced without being asked', { schema: SCHEMA, strict: undefined }, true],
    ['strict false is passed on', { schema: SCHEMA, strict: false }, false],
    ['a schema with an optional property is not enforced', { schema: open }, false],
    ['nor one open inside', { schema: { ...SCHEMA, properties: { fruit: { type: 'object' }, why: {} } } }, false],
    ['nor one with a pattern', { schema: { ...SCHEMA, properties: { fruit: { pattern: 'a' }, why: {} } } }, false],
    ['nor one whose root is a list', { schema: { type: 'array' } }, false],
  ])('%s', async (_, change, strict) => {
    app.models.play(answering(GOOD));
    const { calls } = await app.complete({
      response_format: { type: 'json_schema', json_schema: { ...FORM, ...change } },
    });
    expect(calls[0]?.outputSchema?.strict).toBe(strict);
  });
});

describe.each([...STRATEGY_NAMES, 'pass_through'])('%s', (strategy) => {
  const options = strategy === 'pass_through' ? {} : { strategy, models: PANEL, rounds: 2, includeCandidates: true };
  const fields = { response_format: FORMAT, ai_ensemble: options };

  it('tells everybody who answers of the form, holds the answer to it and nothing else', async () => {
    app.models.play(answering(BAD, GOOD));
    const { body, calls } = await app.complete(fields);
    expect(body.choices[0].message.content).toBe(GOOD);
    const [first] = answersOf(calls);
    for (const call of calls) {
      if (['cast', 'analyse', 'follow_ups'].includes(call.purpose)) continue;
      const told = call.prompt.turns.some(({ text }) => text.includes(JSON.stringify(SCHEMA)));
      expect({ purpose: call.purpose, told }).toEqual({ purpose: call.purpose, told: true });
      if (call.purpose !== 'answer') expect(call.outputSchema?.name).not.toBe('verdict');
    }
    expect(lastTurn(first)).toMatch(/Reply with that JSON and nothing else[^\n]*$/);
  });

  it('a streamed answer is the same, in one piece, and nothing of what was wrong was sent', async () => {
    app.models.play(answering(BAD, GOOD));
    const { chunks, content, done } = await readStream(await app.chat({ ...fields, stream: true }));
    expect({ content, done }).toEqual({ content: GOOD, done: true });
    expect(chunks.filter(({ choices }) => choices?.[0]?.delta.content)).toHaveLength(1);
    expect(chunks.at(-1)).not.toHaveProperty('degraded');
  });
});

describe('a stream from a provider that enforces the schema', () => {
  const streamed = async (text: string, schema: object = SCHEMA) => {
    const clock = fakeClock();
    const provider = { ...scriptedModels(clock, () => ({ text })), holds: () => true };
    await using held = await startApp({ clock, provider });
    const format = { type: 'json_schema', json_schema: { ...FORM, schema } };
    return await readStream(await held.chat({ response_format: format, stream: true }));
  };

  it('comes piece by piece', async () => {
    const { chunks, content } = await streamed(GOOD);
    expect(content).toBe(GOOD);
    expect(chunks.filter(({ choices }) => choices?.[0]?.delta.content).length).toBeGreaterThan(3);
    expect(chunks.at(-1)).not.toHaveProperty('degraded');
  });

  it('can only be checked at its end: what is wrong then is told in degraded', async () => {
    const { chunks, content } = await streamed(BAD);
    expect(content).toBe(BAD);
    expect(chunks.at(-1)?.degraded).toEqual([NOT_IN_FORM + BAD_FLAWS]);
  });

  it('that brings words around its JSON says so', async () => {
    const { chunks } = await streamed(`Sure: ${GOOD}`);
    expect(chunks.at(-1)?.degraded).toEqual([`${NOT_IN_FORM}it is not JSON alone`]);
  });
});

describe('an answer that is not in the form', () => {
  it('is asked for once more with what is wrong; the second one counts', async () => {
    app.models.play(answering(BAD, GOOD));
    const { calls, body } = await app.complete({ response_format: FORMAT });
    expect(body.choices[0].message.content).toBe(GOOD);
    expect(body).not.toHaveProperty('degraded');
    expect(answersOf(calls)).toHaveLength(2);
    const [, repair] = calls;
    expect(repair?.prompt.turns.at(-2)).toEqual({ role: 'assistant', text: BAD });
    expect(lastTurn(repair)).toContain(BAD_FLAWS);
    expect(repair?.outputSchema).toEqual({ name: 'verdict', schema: SCHEMA, strict: true });
  });

  it.each<[rule: string, first: string, second: ScriptedReply]>([
    ['twice is told in degraded, and the last one is given', 'No.', { text: `Well: ${BAD}` }],
    ['and whose repair fails is given as it is, and told', BAD, failing('unauthorized')],
  ])('%s', async (_, first, second) => {
    let asked = 0;
    app.models.play(() => {
      asked += 1;
      return asked === 1 ? { text: first } : second;
    });
    const { calls, body } = await app.complete({ response_format: FORMAT });
    expect(calls).toHaveLength(2);
    expect(body.choices[0].message.content).toBe(BAD);
    expect(body.degraded).toEqual([NOT_IN_FORM + BAD_FLAWS]);
  });

  it('is paid for twice', async () => {
    app.models.play((call) => ({ ...answering(BAD)(call), usage: { promptTokens: 5, completionTokens: 2 } }));
    const { body } = await app.complete({ response_format: FORMAT });
    expect(body.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 4 });
  });

  it('is not checked where its schema takes too long to follow, which is told', async () => {
    app.models.play(answering(GOOD));
    const schema = { allOf: [{ $ref: '#' }, { $ref: '#' }] };
    const { body, calls } = await app.complete({
      response_format: { type: 'json_schema', json_schema: { name: 'loop', schema } },
    });
    expect(calls).toHaveLength(1);
    expect(body.choices[0].message.content).toBe(GOOD);
    expect(body.degraded).toEqual(['The answer was not checked: its JSON Schema takes too long to follow']);
  });
});
