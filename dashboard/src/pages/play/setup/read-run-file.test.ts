import { bytesOf, readRunFiles } from './read-run-file';

const file = (name: string, type: string, bytes: number): File =>
  new File([new Uint8Array(bytes).fill(65)], name, { type });

describe('files of a run', () => {
  it('are read into base64, whatever their length', async () => {
    for (const length of [1, 2, 3, 40_000]) {
      const { files } = await readRunFiles([file('a.json', '', length)], []);
      expect(files).toEqual([
        { name: 'a.json', media_type: 'application/json', data: Buffer.alloc(length, 'A').toString('base64') },
      ]);
      expect(files.map(({ data }) => bytesOf(data))).toEqual([length]);
    }
  });

  it.each([
    [file('a.exe', 'application/x-msdownload', 5), /only images/],
    [file('a.png', 'image/png', 0), /empty/],
    [file('a.png', 'image/png', 2_883_585), /2\.8 MB/],
  ])('that cannot be sent are left out with a word', async (bad, words) => {
    const { files, flaws } = await readRunFiles([bad, file('b.png', 'image/png', 3)], []);
    expect(files.map(({ name }) => name)).toEqual(['b.png']);
    expect(flaws).toEqual([expect.stringMatching(words)]);
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
