import { imageFrom, pdfFrom } from './images';

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
const PDF = Buffer.from('%PDF-1.7').toString('base64');
const IMAGE = 'an "image"';
const TYPES = 'image/png, image/jpeg, image/webp, image/gif';
const URL_RULE = 'the URL of an "image" part';

describe('imageFrom', () => {
  it('takes a data URI, or an address as it was sent', () => {
    expect(imageFrom(`data:image/PNG;base64,${PNG}`, IMAGE)).toEqual({ mediaType: 'image/png', base64: PNG });
    const url = 'HTTPS://example.test:8443/a%20b.png?X-Signature=a%2Bb#é';
    expect(imageFrom(url, IMAGE)).toEqual({ url });
  });

  it.each([
    ['http://example.test/a.png', `${URL_RULE} must be a data URI (data:image/png;base64,…) or an https address`],
    ['file:///etc/passwd', `${URL_RULE} must be a data URI (data:image/png;base64,…) or an https address`],
    [undefined, `${URL_RULE} must be a data URI (data:image/png;base64,…) or an https address`],
    ['https://user:pw@example.test/a.png', `${URL_RULE} must not hold a name or a password`],
    ['https://user@example.test/a.png', `${URL_RULE} must not hold a name or a password`],
    ['https://:pw@example.test/a.png', `${URL_RULE} must not hold a name or a password`],
    ['https:user:pw@example.test', `${URL_RULE} must be an https address`],
    ['https://example.test\\@elsewhere.test/', `${URL_RULE} must be an https address`],
    ['https://exa\nmple.test/', `${URL_RULE} must be an https address`],
    ['https://example.test/a b', `${URL_RULE} must be an https address`],
    ['https://', `${URL_RULE} must be an https address`],
    ['https://[::1', `${URL_RULE} must be an https address`],
    [`https://example.test/${'a'.repeat(2_028)}`, `${URL_RULE} has at most 2,048 characters`],
  ])('refuses the URL %j', (url, flaw) => {
    expect(imageFrom(url, IMAGE)).toBe(flaw);
  });

  it('takes an address of 2,048 characters', () => {
    const url = `https://example.test/${'a'.repeat(2_027)}`;
    expect(imageFrom(url, IMAGE)).toEqual({ url });
  });

  it.each([
    [`data:image/png;base64,${PDF}`, 'the data of an "image" is no image/png'],
    ['data:image/png;base64,', 'the data of an "image" is no image/png'],
    [`data:image/png;base64,${PNG}\n`, 'the data of an "image" must be standard base64'],
    [`data:application/pdf;base64,${PDF}`, `an "image" must be one of ${TYPES}`],
  ])('refuses the data %j', (uri, flaw) => {
    expect(imageFrom(uri, IMAGE)).toBe(flaw);
  });
});

describe('pdfFrom', () => {
  const pdf = { mediaType: 'application/pdf', base64: PDF };

  it('takes a data URI, with a name of bounded length', () => {
    const url = `data:application/pdf;base64,${PDF}`;
    expect(pdfFrom(url, 'a "file"', 'a.pdf')).toEqual({ ...pdf, name: 'a.pdf' });
    expect(pdfFrom(url, 'a "file"', 'é'.repeat(9_000))).toEqual({ ...pdf, name: 'é'.repeat(255) });
    expect([7, '', null].map((name) => pdfFrom(url, 'a "file"', name))).toEqual([pdf, pdf, pdf]);
  });

  it.each([
    ['https://example.test/a.pdf', 'the data of a "file" must be a data URI (data:application/pdf;base64,…)'],
    [undefined, 'the data of a "file" must be a data URI (data:application/pdf;base64,…)'],
    [`data:image/png;base64,${PNG}`, 'a "file" must be one of application/pdf'],
    [`data:application/pdf;base64,${PNG}`, 'the data of a "file" is no application/pdf'],
    ['data:application/pdf;base64,JVBERi0', 'the data of a "file" must be standard base64'],
  ])('refuses %j', (uri, flaw) => {
    expect(pdfFrom(uri, 'a "file"')).toBe(flaw);
  });
});
