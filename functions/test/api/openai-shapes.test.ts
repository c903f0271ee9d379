import { customArguments } from '../../src/api/shared/custom-tools';
import { CHAT_PATH, QUESTION, sharedApp } from '../support/app';
import type { Script } from '../support/scripted-models';
import { readStream } from '../support/wire';

/** Parts of OpenAI's own protocol that the contract lacks: at `/openai/v1` alone. */

const PATH = `/openai${CHAT_PATH}`;
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
const PDF = Buffer.from('%PDF-1.7').toString('base64');
const text = (words: string) => ({ type: 'text', text: words });
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const address = image('https://example.test/a.png');
const png = image(`data:image/png;base64,${PNG}`);
const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } };
const user = (...content: object[]) => ({ role: 'user', content });
const refused = (message: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
});

const app = sharedApp();
beforeEach(() => app.clock.advance(60_000));

interface Body {
  readonly choices: readonly [{ readonly message: object; readonly finish_reason: string }];
}
const ask = (fields: object) => app.send<Body>(PATH, { model: 'gpt-4o', ...fields });

describe('images', () => {
  it('by their address and PDFs reach everybody of an ensemble whose providers read them', async () => {
    const { status, calls } = await ask({
      messages: [user(text(QUESTION), address, pdf)],
      ai_ensemble: { models: ['gpt-4.1', 'claude-sonnet-5'] },
    });
    expect(status).toBe(200);
    const images = [{ url: address.image_url.url }, { mediaType: 'application/pdf', base64: PDF, name: 'a.pdf' }];
    expect(calls.map(({ prompt }) => prompt.turns.at(-1)?.images)).toEqual([images, images, images]);
  });

  it('that a tool returned reach the model with its result', async () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'shot', arguments: '{}' } }];
    const tools = [{ type: 'function', function: { name: 'shot' } }];
    const returned = { role: 'tool', tool_call_id: 'a', content: [png] };
    const { status, calls } = await ask({
      tools,
      messages: [user(text('Look')), { role: 'assistant', tool_calls }, returned],
    });
    expect(status).toBe(200);
    const images = [{ mediaType: 'image/png', base64: PNG }];
    expect(calls[0]?.prompt.turns.at(-1)).toEqual({
      role: 'user',
      text: '',
      toolResults: [{ callId: 'a', name: 'shot', text: '', images }],
    });
  });

  const FETCHES = 'Images by their address need models with a provider that fetches them, which';
  const tool = { role: 'tool', tool_call_id: 'a', content: [png] };
  it.each<[what: string, fields: object, message: string]>([
    [
      'an address, of which the provider would have to know the type',
      { model: 'gemini-2.5-pro', messages: [user(address)] },
      `${FETCHES} Gemini 2.5 Pro has not`,
    ],
    [
      'an address, for some of a panel',
      { messages: [user(address), user(text('So?'))], ai_ensemble: { models: ['gpt-4.1', 'gemini-2.5-pro'] } },
      `${FETCHES} Gemini 2.5 Pro has not`,
    ],
    ['a PDF', { model: 'demo-ada', messages: [user(pdf)] }, 'PDFs need models with vision, which Demo Ada has not'],
    [
      'an image of a tool',
      { model: 'demo-ada', messages: [user(text('x')), tool] },
      'Images need models with vision, which Demo Ada has not',
    ],
  ])('are refused by the names of those who cannot be shown them: %s', async (_, fields, message) => {
    const { status, body, calls } = await ask(fields);
    expect({ status, body, calls }).toEqual({ status: 400, body: refused(message), calls: [] });
  });

  it('in thousands of parts are refused at once', async () => {
    const { status, body } = await ask({ messages: [user(...Array(5_000).fill(png))] });
    expect({ status, body }).toEqual({ status: 400, body: refused('Invalid messages: at most 100 images') });
  });
});

describe('tools that take text', () => {
  const PATCH = { type: 'custom', custom: { name: 'patch', description: 'Edits.' } };
  const LOOK = { type: 'function', function: { name: 'look' } };
  const INPUT = '*** Begin Patch\n+"a"\n';
  const CALLED = { id: 'call_1', type: 'custom', custom: { name: 'patch', input: INPUT } };
  const LOOKED = { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } };
  const fields = { tools: [PATCH, LOOK], messages: [user(text('Edit it'))] };
  const both: Script = () => ({
    text: '',
    toolCalls: [
      { id: 'call_1', name: 'patch', arguments: customArguments(INPUT) },
      { id: 'call_2', name: 'look', arguments: '{}' },
    ],
  });

  it('are offered as functions, and their calls have the text, in one piece and as a stream', async () => {
    app.models.play(both);
    const { body, calls } = await ask(fields);
    expect(calls[0]?.prompt.tools?.tools.map(({ name }) => name)).toEqual(['patch', 'look']);
    expect(body.choices[0]).toMatchObject({ message: { tool_calls: [CALLED, LOOKED] }, finish_reason: 'tool_calls' });
    const { chunks } = await readStream(await app.post(PATH, { model: 'gpt-4o', ...fields, stream: true }));
    const pieces = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
    expect(pieces.filter(({ index }) => index === 0)).toEqual([{ index: 0, ...CALLED }]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('have their calls and results back', async () => {
    const messages = [
      ...fields.messages,
      { role: 'assistant', content: null, tool_calls: [CALLED] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
    ];
    const { calls } = await ask({ ...fields, messages });
    expect(calls[0]?.prompt.turns.slice(1)).toMatchObject([
      { toolCalls: [{ id: 'call_1', name: 'patch', arguments: customArguments(INPUT) }] },
      { toolResults: [{ callId: 'call_1', name: 'patch', text: 'Done.' }] },
    ]);
  });

  it('are called by an ensemble that has to', async () => {
    app.models.play(() => ({ text: customArguments(INPUT) }));
    const tool_choice = { type: 'custom', custom: { name: 'patch' } };
    const { body } = await ask({ ...fields, tool_choice, ai_ensemble: { models: ['gpt-4.1', 'gpt-4o-mini'] } });
    expect(body.choices[0]).toMatchObject({ message: { tool_calls: [{ ...CALLED, id: expect.any(String) }] } });
  });

  it('are the only ones offered where others are not allowed', async () => {
    app.models.play(both);
    const allowed_tools = { mode: 'required', tools: [{ type: 'custom', custom: { name: 'patch' } }] };
    const { calls } = await ask({ ...fields, tool_choice: { type: 'allowed_tools', allowed_tools } });
    expect(calls[0]?.prompt.tools).toMatchObject({ tools: [{ name: 'patch' }], choice: 'required' });
    expect(calls[0]?.prompt.tools?.tools).toHaveLength(1);
  });

  it('are needed where one has to be called, by a model and by an ensemble alike', async () => {
    for (const model of ['gpt-4o', 'ensemble']) {
      const { status, body } = await ask({ model, messages: fields.messages, tool_choice: 'required' });
      expect({ status, body }).toEqual({ status: 400, body: refused('Invalid tool_choice: needs tools') });
    }
  });
});
