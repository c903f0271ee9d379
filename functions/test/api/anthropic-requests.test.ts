import { systemClock } from '../../src/lib/clock';
import { QUESTION, sharedApp, startApp } from '../support/app';
import { event, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PLAIN } from '../support/scripted-models';

/** Bodies of `POST /anthropic/v1/messages`, good and hostile: what models are shown of them, and what their senders are told. */

const PATH = '/anthropic/v1/messages';
const ASKED = { role: 'user', content: QUESTION };
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
const PDF = Buffer.from('%PDF-1.7').toString('base64');
const LOOK_UP = { name: 'look_up', input_schema: { type: 'object' } };
const MARK = { cache_control: { type: 'ephemeral' } };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { word: 'tomato' } };
const CALLED = { role: 'assistant', content: [CALL] };
const TOLD = { id: 'toolu_1', name: 'look_up', arguments: '{"word":"tomato"}' };
const says = (...content: readonly object[]) => ({ role: 'user', content });
const text = (words: string, marks: object = {}) => ({ type: 'text', text: words, ...marks });
const result = (fields: object) => ({ type: 'tool_result', tool_use_id: 'toolu_1', ...fields });
const image = (media_type: string, data: string) => ({ type: 'image', source: { type: 'base64', media_type, data } });

const app = sharedApp({ env: { RATE_LIMIT_RPM: '1000' } });
interface Body {
  readonly error?: { readonly message: string; readonly details?: object };
  readonly ensemble?: { readonly ignored?: readonly string[] };
}
const send = (fields: object) =>
  app.send<Body>(PATH, { model: 'gpt-4o', max_tokens: 100, messages: [ASKED], ...fields });
const shown = async (fields: object) => {
  const { status, body, calls } = await send(fields);
  expect([status, body.error]).toEqual([200, undefined]);
  const { turns, system, tools } = calls[0]?.prompt ?? {};
  return { turns, ...(system && { system }), ...(tools && { tools }) };
};

describe('a model is shown', () => {
  it.each([
    [[ASKED], [{ role: 'user', text: QUESTION }]],
    [[says(text('One.'), text('Two.'))], [{ role: 'user', text: 'One.\nTwo.' }]],
    [
      [
        says(
          image('image/png', PNG),
          { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
          text('What?'),
        ),
      ],
      [
        {
          role: 'user',
          text: 'What?',
          images: [
            { mediaType: 'image/png', base64: PNG },
            { type: 'url', url: 'https://a.test/b.png' },
          ],
        },
      ],
    ],
    [
      [
        says(
          { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
          { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'Red.' } },
        ),
      ],
      [{ role: 'user', text: 'Notes:\nRed.', images: [{ mediaType: 'application/pdf', base64: PDF, name: 'a.pdf' }] }],
    ],
    [
      [ASKED, CALLED, says(result({ content: 'a berry' }), text('Hurry.'))],
      [
        { role: 'user', text: QUESTION },
        { role: 'assistant', text: '', toolCalls: [TOLD] },
        { role: 'user', text: 'Hurry.', toolResults: [{ callId: 'toolu_1', name: 'look_up', text: 'a berry' }] },
      ],
    ],
    [
      [ASKED, CALLED, says(result({ content: [text('no such word')], is_error: true }))],
      [
        { role: 'user', text: QUESTION },
        { role: 'assistant', text: '', toolCalls: [TOLD] },
        {
          ...{ role: 'user', text: '' },
          toolResults: [{ callId: 'toolu_1', name: 'look_up', text: 'The tool has failed: no such word' }],
        },
      ],
    ],
    [
      [
        ASKED,
        CALLED,
        says(result({ content: [{ type: 'tool_reference', tool_name: 'fetch' }, image('image/png', PNG)] })),
      ],
      [
        { role: 'user', text: QUESTION },
        { role: 'assistant', text: '', toolCalls: [TOLD] },
        {
          ...{ role: 'user', text: '' },
          toolResults: [
            {
              callId: 'toolu_1',
              name: 'look_up',
              text: 'Tool: fetch',
              images: [{ mediaType: 'image/png', base64: PNG }],
            },
          ],
        },
      ],
    ],
  ])('messages as they are meant: %j', async (messages, turns) => {
    const { turns: told } = await shown({ messages, tools: [LOOK_UP] });
    expect(told?.map(({ cacheMarks: _, ...turn }) => turn)).toEqual(turns);
  });

  it('one system message, of all that stands before the conversation but the line for Anthropic’s books', async () => {
    const system = [text('x-anthropic-billing-header: cc_version=2;'), text('Be brief.'), text('Be kind.')];
    const messages = [{ role: 'system', content: 'Be glad.' }, ASKED];
    expect(await shown({ system, messages })).toEqual({
      system: 'Be brief.\nBe kind.\n\nBe glad.',
      turns: [{ role: 'user', text: QUESTION }],
    });
  });

  it('instructions within the conversation where they stand, whatever form their message has', async () => {
    const notes = ['The day has begun.', [text('A file has changed.', MARK)]].map((content) => ({
      role: 'system',
      content,
    }));
    const messages = [ASKED, notes[0], CALLED, says(result({ content: 'a berry' })), notes[1]];
    const { turns = [] } = await shown({ messages, tools: [LOOK_UP] });
    expect(turns.map(({ role, text: words, toolResults }) => [role, words, toolResults?.length])).toEqual([
      ['user', `${QUESTION}\n\n<system>\nThe day has begun.\n</system>`, undefined],
      ['assistant', '', undefined],
      ['user', '<system>\nA file has changed.\n</system>', 1],
    ]);
    const first = await shown({ messages: [ASKED, notes[0]] });
    expect(first.turns).toEqual([{ role: 'user', text: turns[0]?.text }]);
  });

  it.each([
    [{ type: 'auto' }, { choice: 'auto' }],
    [
      { type: 'any', disable_parallel_tool_use: true },
      { choice: 'required', parallel: false },
    ],
    [{ type: 'tool', name: 'look_up' }, { choice: { name: 'look_up' } }],
    [{ type: 'none' }, { choice: 'none' }],
  ])('tools with the choice %j, without those that Anthropic runs', async (tool_choice, offered) => {
    const { tools } = await shown({
      tools: [
        { type: 'web_search_20250305', name: 'web_search' },
        { ...LOOK_UP, type: 'custom', strict: true },
      ],
      tool_choice,
    });
    expect(tools).toMatchObject({
      tools: [{ name: 'look_up', parameters: { type: 'object' }, strict: true }],
      ...offered,
    });
  });

  it('the form of the answer and how much to think, in either place', async () => {
    const format = { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } };
    for (const fields of [{ output_config: { format, effort: 'max' } }, { output_format: format }]) {
      app.models.play(() => ({ text: '{}' }));
      const { calls } = await send(fields);
      expect(calls[0]?.outputSchema?.schema).toEqual(format.schema);
    }
    const { calls } = await send({ model: 'gpt-5', output_config: { effort: 'max' }, temperature: 1 });
    expect(calls[0]).toMatchObject({ reasoningEffort: 'max' });
  });
});

describe('a sender is told', () => {
  it('what is without effect, and nothing else', async () => {
    const claudeCode = {
      ...{ metadata: { user_id: 'u' }, service_tier: 'auto', stop_sequences: ['x'], top_k: 5, container: null },
      ...{ thinking: { type: 'adaptive', display: 'omitted' }, context_management: { edits: [] } },
      ...{ output_config: { effort: 'high' }, tools: [LOOK_UP, { type: 'bash_20250124', name: 'bash' }] },
    };
    const { body } = await send(claudeCode);
    expect(body.ensemble?.ignored).toEqual([
      'tools[1]: bash_20250124',
      'stop_sequences',
      'top_k',
      'context_management',
      'max_tokens',
    ]);
    const beta = await app.post(
      PATH,
      { model: 'gpt-4o', max_tokens: 1, messages: [ASKED] },
      { 'anthropic-beta': 'a,b' },
    );
    expect(((await beta.json()) as Body).ensemble?.ignored).toEqual(['anthropic-beta', 'max_tokens']);
  });

  it.each([
    [{ max_tokens: 0 }, 'max_tokens: must be an integer greater than 0'],
    [{ messages: [] }, 'messages: must be an array with a message'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role: must be one of user, assistant, system'],
    [{ messages: [says()] }, 'messages[0].content: the last message is the prompt and must not be empty'],
    [
      { messages: [ASKED, { role: 'assistant', content: '{' }] },
      'messages[1]: must be a message of the user: the last message is the prompt, and what the assistant says cannot be begun for it',
    ],
    [
      { messages: [ASKED, says({ type: 'search_result', source: 'x', title: 'y', content: [] })] },
      'messages[1].content[0].type: must be one of text, image, document, tool_result',
    ],
    [{ messages: [says(CALL)] }, 'messages[0].content[0].type: must be one of text, image, document, tool_result'],
    [{ messages: [says(text('a'), { type: 'text', text: 7 })] }, 'messages[0].content[1].text: must be a string'],
    [{ messages: [says(image('image/png', '!'))] }, 'messages[0].content[0].source.data: must be standard base64'],
    [{ messages: [says(image('image/png', PDF))] }, 'messages[0].content[0].source.data: is no image/png'],
    [
      { messages: [says(image('image/bmp', PNG))] },
      'messages[0].content[0].source.media_type: must be one of image/png, image/jpeg, image/webp, image/gif',
    ],
    [
      { messages: [says({ type: 'image', source: { type: 'url', url: 'http://a.test' } })] },
      'messages[0].content[0].source.url: must be an https address',
    ],
    [
      { messages: [says({ type: 'image', source: { type: 'file', file_id: 'f' } })] },
      'messages[0].content[0].source.type: must be base64 or url',
    ],
    [
      { messages: [ASKED, CALLED, says(result({ tool_use_id: 'toolu_2' }))] },
      'messages[2].content[0].tool_use_id: must be the id of a tool_use in the last message of the assistant',
    ],
    [
      { messages: [ASKED, CALLED, says(result({}), result({}))] },
      'messages[2].content[1].tool_use_id: must be the id of a tool_use in the last message of the assistant',
    ],
    [
      { messages: [ASKED, CALLED, says(result({ content: [CALL] }))] },
      'messages[2].content[0].content[0].type: must be one of text, image, document, tool_reference',
    ],
    [
      { messages: [ASKED, { role: 'assistant', content: [{ ...CALL, input: 'x' }] }, ASKED] },
      'messages[1].content[0].input: must be an object',
    ],
    [{ system: [image('image/png', PNG)] }, 'system[0].type: must be text'],
    [
      { tools: [{ name: 'a b', input_schema: { type: 'object' } }] },
      'tools[0].name: must be 1 to 64 letters, digits, "_" or "-"',
    ],
    [{ tools: [{ name: 'a' }] }, 'tools[0].input_schema: must be a JSON Schema of the type object'],
    [{ tools: [LOOK_UP, LOOK_UP] }, 'tools[1].name: is used twice'],
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }, LOOK_UP, LOOK_UP] }, 'tools[2].name: is used twice'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice: needs tools'],
    [{ tool_choice: 'auto' }, 'tool_choice: must have the type auto, any, tool or none'],
    [{ tools: [LOOK_UP], tool_choice: { type: 'tool', name: 'b' } }, 'tool_choice: names no tool of tools'],
    [{ temperature: 1.5 }, 'temperature: must be between 0 and 1'],
    [{ output_config: { format: { type: 'text' } } }, 'output_config.format.type: must be json_schema'],
  ])('what is wrong with %j', async (fields, flaw) => {
    const { status, body, calls } = await send(fields);
    expect([status, body.error, calls]).toEqual([
      400,
      { type: 'invalid_request_error', message: `Invalid ${flaw}` },
      [],
    ]);
  });

  it('before anything else that there are no threads, by the word that its tool runner knows', async () => {
    const { body } = await send({ thread: { type: 'create' }, messages: [], model: '' });
    expect(body.error).toEqual({
      type: 'invalid_request_error',
      message: 'Invalid thread: is not supported: nothing is kept here, so send the whole conversation each time',
      details: { error_code: 'thread_unsupported_request' },
    });
  });

  it.each(['2023-06-01', '2026-10-21', undefined])('nothing of the version %s', async (version) => {
    const headers = version === undefined ? undefined : { 'anthropic-version': version };
    expect((await app.post(PATH, { model: 'gpt-4o', max_tokens: 1, messages: [ASKED] }, headers)).status).toBe(200);
  });

  it('that a version is a date', async () => {
    const reply = await app.post(
      PATH,
      { model: 'gpt-4o', max_tokens: 1, messages: [ASKED] },
      { 'anthropic-version': 'x' },
    );
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { message: 'Invalid anthropic-version: must be a date such as 2023-06-01' } },
    ]);
  });
});

describe('marks for a cache', () => {
  const marksOf = async (fields: object) =>
    (await shown({ model: 'claude-sonnet-5', ...fields })).turns?.map(({ cacheMarks }) => cacheMarks);

  it.each([
    [{ system: [text('Be brief.', MARK)] }, [[]]],
    [{ tools: [{ ...LOOK_UP, ...MARK }] }, [[]]],
    [MARK, [[0]]],
    [{ messages: [says(text('A long book.', MARK), text('Who?'))] }, [['\nWho?'.length]]],
    [
      { messages: [says(text('a', MARK)), { role: 'assistant', content: 'b' }, says(text('c', MARK))] },
      [[0], undefined, [0]],
    ],
    [{ messages: [ASKED] }, [undefined]],
  ])('reach the model as places in its prompt: %j', async (fields, marks) => {
    expect(await marksOf(fields)).toEqual(marks);
  });

  it('are four at most, at Anthropic, and stand where the request has them', async () => {
    const upstream = await startFakeUpstream(
      sendEvents(
        [
          { type: 'message_start', message: { usage: { input_tokens: 1 } } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
          { type: 'message_stop' },
        ]
          .map(event)
          .join(''),
      ),
    );
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: upstream.url };
    await using own = await startApp({ clock: systemClock, providers: {}, env });
    const turn = [says(text('a', MARK), text('b', MARK)), { role: 'assistant', content: 'c' }];
    const body = {
      ...{ model: 'claude-sonnet-5', max_tokens: 9, system: [text('Be brief.', MARK)] },
      messages: [...turn, ...turn, says(text('d', MARK), text('e'))],
    };
    expect((await own.post(PATH, body)).status).toBe(200);
    await upstream.close();
    const sent = JSON.parse(upstream.requests[0]?.body ?? '');
    const marked = (blocks: readonly { text: string; cache_control?: object }[]) =>
      blocks.flatMap((block) => (block.cache_control ? block.text : []));
    expect(marked(sent.system)).toEqual(['Be brief.']);
    expect(sent.messages.map(({ content }: { content: [] }) => marked(content))).toEqual([
      [],
      [],
      ['a', '\nb'],
      [],
      ['d'],
    ]);
  });
});

it('the advice of a panel serves its whole turn, while its messages change their form and its notes come and go', async () => {
  app.models.play((call) => (call.purpose === 'advise' ? { text: 'Look it up.' } : { text: '', toolCalls: [TOLD] }));
  const ensemble = { tools: [LOOK_UP], ai_ensemble: { models: ['gpt-4o', 'gpt-4.1'] } };
  const note = { role: 'system', content: '# Environment' };
  const first = await send({ ...ensemble, messages: [says(text(QUESTION, MARK)), note] });
  expect(first.calls.map(({ purpose }) => purpose)).toEqual(['advise', 'advise', 'answer']);
  app.models.play(PLAIN);
  const returned = says(result({ content: 'a berry' }), text('<system-reminder>Be quick.</system-reminder>'));
  const grown = [LOOK_UP, { ...LOOK_UP, name: 'fetch', defer_loading: true }];
  const next = await send({ ...ensemble, tools: grown, messages: [ASKED, note, CALLED, returned, note] });
  expect(next.calls.map(({ purpose }) => purpose)).toEqual(['answer']);
});
