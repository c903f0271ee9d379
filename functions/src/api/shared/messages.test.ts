import { messagesSchema, openAiMessagesSchema } from './messages';

/** Messages by OpenAI's own protocol, beside which the contract stays what it is. */

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
const PDF = Buffer.from('%PDF-1.7').toString('base64');
const ADDRESS = 'https://example.test/a.png';
const text = (words: string) => ({ type: 'text', text: words });
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const file = (held: object) => ({ type: 'file', file: held });
const pdf = file({ file_data: `data:application/pdf;base64,${PDF}`, filename: 'a.pdf' });
const flawOf = (schema: typeof messagesSchema, messages: unknown) => {
  const { path = [], message } = schema.safeParse(messages).error?.issues[0] ?? {};
  return `${path.join('.')}: ${message}`;
};

describe('messages by OpenAI’s protocol', () => {
  it('show images by their address and PDFs', () => {
    const { images } = openAiMessagesSchema.parse([{ role: 'user', content: [text('x'), image(ADDRESS), pdf] }]);
    expect(images).toEqual([{ url: ADDRESS }, { mediaType: 'application/pdf', base64: PDF, name: 'a.pdf' }]);
  });

  it('have images in results of tools, which stay with their call', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'shot', arguments: '{}' } }];
    const content = [text('Done.'), image(`data:image/png;base64,${PNG}`)];
    const images = [{ mediaType: 'image/png', base64: PNG }];
    const { toolTurns, images: shown } = openAiMessagesSchema.parse([
      { role: 'user', content: 'Look' },
      { role: 'assistant', tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content },
    ]);
    expect(toolTurns).toMatchObject({
      message: '',
      toolResults: [{ callId: 'a', name: 'shot', text: 'Done.', images }],
    });
    expect(toolTurns?.images).toBeUndefined();
    expect(shown).toEqual(images);
  });

  it('have calls of custom tools, and refusals, as parts and as a field', () => {
    const { toolTurns } = openAiMessagesSchema.parse([
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not.' }] },
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'patch', input: '"+a"' } }, null] },
      { role: 'tool', tool_call_id: 'a', content: 'Done.' },
    ]);
    expect(toolTurns?.history).toEqual([
      { role: 'user', text: 'Why?' },
      { role: 'assistant', text: 'I will not.' },
      { role: 'assistant', text: 'No.' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'patch', arguments: '{"input":"\\"+a\\""}' }] },
    ]);
  });

  const ROLES = 'only messages of the roles user and tool may have images';
  it.each([
    [{ role: 'system', content: [pdf] }, `unsupported content part type "file": ${ROLES}`],
    [{ role: 'assistant', content: [image(ADDRESS)] }, `unsupported content part type "image_url": ${ROLES}`],
    [
      { role: 'user', content: [{ type: 'input_audio' }] },
      'unsupported content part type "input_audio": only text, image_url and file parts are supported',
    ],
    [
      { role: 'user', content: [{ type: 'constructor' }] },
      'unsupported content part type "constructor": only text, image_url and file parts are supported',
    ],
    [
      { role: 'user', content: [file({ file_id: 'file-1' })] },
      'the data of a "file" must be a data URI (data:application/pdf;base64,…)',
    ],
    [
      { role: 'user', content: [{ type: 'file', file: null }] },
      'the data of a "file" must be a data URI (data:application/pdf;base64,…)',
    ],
  ])('are refused by their place: %j', (message, flaw) => {
    expect(flawOf(openAiMessagesSchema, [message, { role: 'user', content: 'x' }])).toBe(`0.content.0: ${flaw}`);
  });

  it('have 100 images at most', () => {
    const ask = (count: number) => [{ role: 'user', content: Array(count).fill(image(ADDRESS)) }];
    expect(openAiMessagesSchema.safeParse(ask(100)).success).toBe(true);
    expect(flawOf(openAiMessagesSchema, ask(10_000))).toBe(': at most 100 images');
  });

  it('are no messages of the contract', () => {
    expect(flawOf(messagesSchema, [{ role: 'user', content: [pdf] }])).toBe(
      '0.content.0: unsupported content part type "file": only text and image_url parts are supported',
    );
    const calls = [{ id: 'a', type: 'custom', custom: { name: 'patch', input: '' } }];
    const messages = [
      { role: 'assistant', tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: 'Done.' },
    ];
    expect(messagesSchema.parse(messages).toolTurns).toBeUndefined();
  });
});
