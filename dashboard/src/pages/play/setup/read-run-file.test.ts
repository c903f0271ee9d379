import { readRunFiles } from './read-run-file';

const file = (name: string, type: string, bytes: number): File =>
  new File([new Uint8Array(bytes).fill(49)], name, { type });

describe('files of a run', () => {
  it('are read into base64, whatever their length', async () => {
    for (const length of [1, 2, 3, 40_000]) {
      const { files } = await readRunFiles([file('a.json', '', length)], []);
      expect(files).toEqual([
        { name: 'a.json', media_type: 'application/json', data: Buffer.alloc(length, '1').toString('base64') },
      ]);
    }
  });

  it.each([
    [new File([new Uint8Array([77, 90, 0, 3])], 'a.exe', { type: 'application/x-msdownload' }), /neither a text/],
    [new File([new Uint8Array([0xe9, 0x74, 0xe9])], 'latin1.txt', { type: 'text/plain' }), /neither a text/],
    [file('a.txt', 'text/plain', 400_001), /400,000 characters/],
    [file('a.png', 'image/png', 0), /empty/],
    [file('a.png', 'image/png', 2_883_585), /2\.8 MB/],
  ])('that cannot be sent are left out with a word', async (bad, words) => {
    const { files, flaws } = await readRunFiles([bad, file('b.png', 'image/png', 3)], []);
    expect(files.map(({ name }) => name)).toEqual(['b.png']);
    expect(flaws).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    ['notes.md', 'text/markdown', '# Ü'],
    ['table.CSV', 'text/csv', 'a;b'],
    ['main.rs', 'text/plain', 'fn main() {}'],
    ['Dockerfile', 'text/plain', 'FROM x'],
    ['tsconfig.json', 'text/plain', '{} // with a comment'],
    ['icon.svg', 'text/plain', '<svg/>'],
    ['constructor', 'text/plain', 'x'],
  ])('that are texts are sent as such, by what is in them: %s', async (name, media_type, text) => {
    const { files } = await readRunFiles([new File([text], name, { type: 'application/octet-stream' })], []);
    expect(files).toEqual([{ name, media_type, data: Buffer.from(text).toString('base64') }]);
  });

  it('in UTF-16 are sent in UTF-8', async () => {
    const bytes = Buffer.from('\ufeffGrüße', 'utf16le');
    const { files } = await readRunFiles([new File([bytes], 'a.txt')], []);
    expect(Buffer.from(files[0]?.data ?? '', 'base64').toString()).toBe('Grüße');
  });

  it('are eight at most, those that were there counted', async () => {
    const nine = Array.from({ length: 9 }, (_, at) => file(`${at}.png`, 'image/png', 3));
    const first = await readRunFiles(nine.slice(0, 5), []);
    const { files, flaws } = await readRunFiles(nine.slice(5), first.files);
    expect([files.length, flaws]).toEqual([8, [expect.stringMatching(/^8\.png .*8 files/)]]);
  });

  it('share their room with those that were there', async () => {
    const { files: there } = await readRunFiles([file('a.pdf', 'application/pdf', 2_000_000)], []);
    const { files, flaws } = await readRunFiles([file('b.pdf', 'application/pdf', 900_000)], there);
    expect([files.length, flaws.length]).toEqual([1, 1]);
  });
});
