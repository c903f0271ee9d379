import { type FakeUpstream, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};

/** Where each protocol takes a schema (their own references, as the installed SDKs type them). */
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

  test('sends none where a call has none', async () => {
    expect(JSON.stringify(await sent({ sampling: { temperature: 0 } }))).not.toMatch(/schema|json/i);
  });
});
