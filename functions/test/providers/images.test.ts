import type { ModelPrompt } from '../../src/models/model';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { during } from '../support/during';
import { sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS, type Protocol } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

/** Images that no `/v1` client sends: by their address, PDFs, and those that tools returned. */

const ADDRESS = { url: 'https://example.test/cat.png' };
const PNG = { mediaType: 'image/png', base64: 'cG5n' } as const;
const PDF = { mediaType: 'application/pdf', base64: 'JVBERi0=', name: 'a.pdf' } as const;
const { name: _, ...UNNAMED } = PDF;
const CALLED: ModelPrompt['turns'] = [
  { role: 'user', text: 'What is there?' },
  {
    role: 'assistant',
    text: '',
    toolCalls: [
      { id: 'a', name: 'shot', arguments: '{}' },
      { id: 'b', name: 'read', arguments: '{}' },
    ],
  },
];
const RETURNED: ModelPrompt['turns'][0] = {
  role: 'user',
  text: '',
  toolResults: [
    { callId: 'a', name: 'shot', text: '', images: [PNG, PNG] },
    { callId: 'b', name: 'read', text: 'Page 1', images: [PDF] },
  ],
};
const NOTE = '[Beside the results above, tools returned images, here in order: shot, shot, read]';

interface Wire {
  readonly turnsIn: string;
  /** Parts of a turn that shows an address, a PDF and one without a name. */
  readonly shown: readonly object[];
  /** The turns behind the calls: results with images; the same with words of the user behind them. */
  readonly returned: readonly object[];
  readonly returnedWithWords: readonly object[];
}

const openAiPng = { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } };
const openAiPdf = (filename: string) => ({
  type: 'file',
  file: { filename, file_data: 'data:application/pdf;base64,JVBERi0=' },
});
const openAiReturned = (text: string) => [
  { role: 'tool', tool_call_id: 'a', content: '' },
  { role: 'tool', tool_call_id: 'b', content: 'Page 1' },
  { role: 'user', content: [{ type: 'text', text }, openAiPng, openAiPng, openAiPdf('a.pdf')] },
];
const anthropicPng = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cG5n' } };
const anthropicPdf = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
};
const anthropicResults = [
  { type: 'tool_result', tool_use_id: 'a', content: [anthropicPng, anthropicPng] },
  {
    type: 'tool_result',
    tool_use_id: 'b',
    content: [
      { type: 'text', text: 'Page 1' },
      { ...anthropicPdf, title: 'a.pdf' },
    ],
  },
];
const googlePng = { inlineData: { mimeType: 'image/png', data: 'cG5n' } };
const googlePdf = { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } };
const googleReturned = (text: string) => [
  {
    role: 'user',
    parts: [
      { functionResponse: { name: 'shot', response: { result: '' } } },
      { functionResponse: { name: 'read', response: { result: 'Page 1' } } },
      ...[googlePng, googlePng, googlePdf, { text }],
    ],
  },
];

const WIRES: Readonly<Record<Protocol['name'], Wire>> = {
  openai: {
    turnsIn: 'messages',
    shown: [{ type: 'image_url', image_url: ADDRESS }, openAiPdf('a.pdf'), openAiPdf('document.pdf')],
    returned: openAiReturned(NOTE),
    returnedWithWords: openAiReturned(`${NOTE}\n\nSo?`),
  },
  anthropic: {
    turnsIn: 'messages',
    shown: [{ type: 'image', source: { type: 'url', ...ADDRESS } }, { ...anthropicPdf, title: 'a.pdf' }, anthropicPdf],
    returned: [{ role: 'user', content: anthropicResults }],
    returnedWithWords: [{ role: 'user', content: [...anthropicResults, { type: 'text', text: 'So?' }] }],
  },
  google: {
    turnsIn: 'contents',
    // No model of this protocol is asked with an address.
    shown: [googlePdf, googlePdf],
    returned: googleReturned(NOTE),
    returnedWithWords: googleReturned(`${NOTE}\n\nSo?`),
  },
};

const upstream = during('each', startFakeUpstream);

async function sent({ create, reply }: Pick<Protocol, 'create' | 'reply'>, turns: ModelPrompt['turns']) {
  upstream.willReply(sendEvents(reply('ok', 1, 1)));
  await create(upstream.url).run(callOf({ prompt: { turns } }), new RecordingListener());
  return JSON.parse(upstream.requests.at(-1)?.body ?? '');
}

describe.each(PROTOCOLS)('images of $name', (protocol) => {
  const { turnsIn, shown, returned, returnedWithWords } = WIRES[protocol.name];

  test('go out by their address, which the provider fetches, and PDFs as files', async () => {
    const body = await sent(protocol, [{ role: 'user', text: '', images: [ADDRESS, PDF, UNNAMED] }]);
    const [{ content, parts }] = body[turnsIn];
    expect(content ?? parts).toEqual(shown);
  });

  test('that a tool returned stand with the results, or behind them where those are texts', async () => {
    expect((await sent(protocol, [...CALLED, RETURNED]))[turnsIn].slice(2)).toEqual(returned);
  });

  test('that a tool returned stand before what the user says next', async () => {
    const body = await sent(protocol, [...CALLED, { ...RETURNED, text: 'So?' }]);
    expect(body[turnsIn].slice(2)).toEqual(returnedWithWords);
  });

  test('a large one reaches the model whole', async () => {
    const base64 = Buffer.alloc(3_000_000, 'image').toString('base64');
    const images = [{ ...PDF, base64 }];
    const body = await sent(protocol, [
      ...CALLED,
      { ...RETURNED, toolResults: [{ ...{ callId: 'a', name: 'shot', text: '' }, images }] },
    ]);
    expect(JSON.stringify(body)).toContain(base64);
  });
});

test('a search of the web by the Responses protocol shows them, too', async () => {
  const create = (baseUrl: string) => createOpenAiProvider({ apiKey: 'sk', baseUrl }, 'responses');
  upstream.willReply(sendEvents('data: {"type":"response.completed","response":{"status":"completed"}}\n\n'));
  const turns = [{ role: 'user' as const, text: '', images: [ADDRESS, PDF] }];
  await create(upstream.url).run(callOf({ prompt: { turns, webSearch: true } }), new RecordingListener());
  expect(JSON.parse(upstream.requests.at(-1)?.body ?? '').input[0].content).toEqual([
    { type: 'input_image', detail: 'auto', image_url: ADDRESS.url },
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
  ]);
});
