import { keptRequest } from './kept-request';

describe('keptRequest', () => {
  it('has the type and size of images in their places, and everything else as it was sent', () => {
    const image = (url: unknown) => ({ type: 'image_url', image_url: { url, detail: 'low' } });
    const body = (url: unknown) => ({
      model: 'ensemble',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'data:image/png;base64,AAAA' }, image(url)] }],
      n: null,
    });
    const png = `data:image/png;base64,${Buffer.alloc(1_000).toString('base64')}`;
    expect(keptRequest(body(png))).toEqual(body('data:image/png,1000 bytes'));
    for (const url of ['https://example.com/a.png', 'data:', 7, { url: 1 }])
      expect(keptRequest(body(url))).toEqual(body(url));
  });

  it('has the name, type and size of files', () => {
    const file = { name: 'a.pdf', media_type: 'application/pdf' };
    const attachments = [{ ...file, data: Buffer.alloc(5).toString('base64') }, { ...file, data: 7 }, null, 'x'];
    expect(keptRequest({ attachments })).toEqual({ attachments: [{ ...file, bytes: 5 }, file, null, 'x'] });
    const source = { type: 'base64', media_type: 'application/pdf' };
    const block = (held: object) => ({
      messages: [{ content: [{ type: 'document', source: { ...source, ...held } }] }],
    });
    expect(keptRequest(block({ data: Buffer.alloc(5).toString('base64') }))).toEqual(block({ bytes: 5 }));
    const parts = (url: string) => ({ input: [{ image_url: url }, { file: { file_data: url, filename: 'a' } }] });
    expect(keptRequest(parts('data:image/png;base64,AAAA'))).toEqual(parts('data:image/png,3 bytes'));
    expect(keptRequest({ attachments: 'none' })).toEqual({ attachments: 'none' });
  });
});
