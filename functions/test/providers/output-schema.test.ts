import { createAnthropicProvider } from '../../src/providers/anthropic/anthropic';
import { createGoogleProvider } from '../../src/providers/google/google';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { type FakeUpstream, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};

/** Place of a schema in each protocol (their own references, as the installed SDKs type them). */
const FIELDS: Readonly<Record<string, { readonly field: string; readonly value: object }>> = {
  openai: {
    field: 'response_format',
    value: { type: 'json_schema', json_schema: { name: 'verdict', schema: SCHEMA, strict: true } },
  },
  anthropic: { field: 'output_config', value: { format: { type: 'json_schema', schema: SCHEMA } } },
  google: {
    field: 'generationConfig',
    value: { temperature: 0, responseMimeType: 'application/json', responseJsonSchema: SCHEMA },
  },
};

/** The same fields for a schema that is not strict, and for any object. */
const LOOSER: Readonly<Record<string, { readonly loose: unknown; readonly any: unknown }>> = {
  openai: {
    loose: { type: 'json_schema', json_schema: { name: 'verdict', schema: SCHEMA, strict: false } },
    any: { type: 'json_object' },
  },
  anthropic: { loose: undefined, any: undefined },
  google: {
    loose: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA },
    any: { responseMimeType: 'application/json' },
  },
};

describe.each(PROTOCOLS)('$name', ({ name, create, events }) => {
  let upstream: FakeUpstream;
  beforeEach(async () => {
    upstream = await startFakeUpstream();
  });
  afterEach(() => upstream.close());

  const sent = async (call: Parameters<typeof callOf>[0]): Promise<Record<string, unknown>> => {
    upstream.willReply(sendEvents(events));
    await create(upstream.url).run(callOf(call), new RecordingListener());
    return JSON.parse(upstream.requests[0]?.body ?? '');
  };

  test('holds the model to the schema of a call', async () => {
    const body = await sent({ sampling: { temperature: 0 }, outputSchema: { name: 'verdict', schema: SCHEMA } });
    const { field, value } = FIELDS[name] ?? { field: '', value: {} };
    expect(body[field]).toEqual(value);
  });

  const { loose, any } = LOOSER[name] ?? {};

  test('of a schema that is not to be enforced it is told as much as it takes', async () => {
    const body = await sent({ outputSchema: { name: 'verdict', schema: SCHEMA, strict: false } });
    expect(body[FIELDS[name]?.field ?? '']).toEqual(loose);
  });

  test('of a form without a schema, too', async () => {
    expect((await sent({ outputSchema: { name: 'any' } }))[FIELDS[name]?.field ?? '']).toEqual(any);
  });

  test('sends none where a call has none', async () => {
    expect(JSON.stringify(await sent({ sampling: { temperature: 0 } }))).not.toMatch(/schema|json/i);
  });
});

/** Forms that each provider itself enforces: strict schemas, others, any object. */
test.each([
  ['OpenAI', createOpenAiProvider({ apiKey: 'k' }), [true, false, true]],
  [
    'a compatible server, of which nothing is known',
    createOpenAiProvider({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/v1' }),
    [false, false, false],
  ],
  ['Anthropic', createAnthropicProvider({ apiKey: 'k' }), [true, false, false]],
  ['Google', createGoogleProvider({ apiKey: 'k' }), [true, false, true]],
])('%s says which forms it keeps its models to', (_, { holds }, expected) => {
  const forms = [{ name: 'a', schema: SCHEMA }, { name: 'a', schema: SCHEMA, strict: false }, { name: 'a' }];
  expect(forms.map((form) => holds?.(form))).toEqual(expected);
});
