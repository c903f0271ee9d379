import { CHAT, sharedApp } from '../support/app';

/** Images, documents and what tools return of them, as blocks of Anthropic's protocol. */

const PATH = '/anthropic/v1/messages';
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
const PDF = Buffer.from('%PDF-1.7').toString('base64');
const file = (type: string, media_type: string, data: string) => ({
  type,
  source: { type: 'base64', media_type, data },
});
const address = (url: unknown) => ({ type: 'image', source: { type: 'url', url } });
const png = file('image', 'image/png', PNG);
const pdf = { ...file('document', 'application/pdf', PDF), title: 'a.pdf' };

const app = sharedApp();
beforeEach(() => app.clock.advance(60_000));

const ask = (messages: object[], model = 'claude-sonnet-5') =>
  app.send<{ readonly error?: { readonly message: string } }>(PATH, { ...CHAT, model, max_tokens: 9, messages });

it('reach the model with the message, or with the result that they came in', async () => {
  const url = 'https://example.test/a.png';
  const result = { type: 'tool_result', tool_use_id: 'a', content: [png, pdf] };
  const { status, calls } = await ask([
    { role: 'user', content: [address(url), pdf] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'shot', input: {} }] },
    { role: 'user', content: [result] },
  ]);
  expect(status).toBe(200);
  const shown = [
    { mediaType: 'image/png', base64: PNG },
    { mediaType: 'application/pdf', base64: PDF, name: 'a.pdf' },
  ];
  expect(calls[0]?.prompt.turns).toMatchObject([
    { images: [{ url }, shown[1]] },
    { toolCalls: [{ id: 'a' }] },
    { toolResults: [{ callId: 'a', images: shown }] },
  ]);
});

it('are refused by the names of models that cannot be shown them', async () => {
  const { status, body } = await ask([{ role: 'user', content: [pdf] }], 'demo-ada');
  expect([status, body.error?.message]).toEqual([400, 'PDFs need models with vision, which Demo Ada has not']);
});

const AT = 'Invalid messages[0].content[0].source';
it.each<[block: object, message: string]>([
  [address('https://user:pw@example.test/a.png'), `${AT}.url: must not hold a name or a password`],
  [address('http://example.test/a.png'), `${AT}.url: must be an https address`],
  [address(`https://example.test/${'a'.repeat(2_048)}`), `${AT}.url: has at most 2,048 characters`],
  [file('image', 'image/png', PDF), `${AT}.data: is no image/png`],
  [file('document', 'application/pdf', PNG), `${AT}.data: is no application/pdf`],
  [file('image', 'image/png', `${PNG}\n`), `${AT}.data: must be standard base64`],
])('are refused by their place (case %#)', async (block, message) => {
  const { status, body, calls } = await ask([{ role: 'user', content: [block] }]);
  expect([status, body.error?.message, calls]).toEqual([400, message, []]);
});
