import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import type { LastStudy } from '../api/shared/last-study';
import { readLastStudy } from './last-study-file';

const STUDY: LastStudy = {
  finishedAt: '2026-11-20T10:00:00.000Z',
  ...{ about: ['45 tasks'], warnings: [], findings: ['Nothing wins.'], arms: [], openArms: [], advice: null },
};

describe('the summary of the last study', () => {
  const read = async (text: string | undefined) => {
    const directory = await temporaryDirectory();
    const file = join(directory.path, 'study.json');
    if (text !== undefined) await writeFile(file, text);
    const warned: string[] = [];
    const study = await readLastStudy(file, { warn: (message, _where, error) => warned.push(`${message}: ${error}`) });
    await directory.remove();
    return { study, warned };
  };

  it('is read as it was written', async () => {
    expect(await read(JSON.stringify(STUDY))).toEqual({ study: STUDY, warned: [] });
  });

  it("is none where there is no file, which is nobody's fault", async () => {
    expect(await read(undefined)).toEqual({ study: null, warned: [] });
  });

  it.each([
    ['is no JSON', '{"finishedAt":'],
    ['says what cannot be', JSON.stringify({ ...STUDY, finishedAt: 'yesterday' })],
    ['is too large', JSON.stringify({ ...STUDY, filler: 'x'.repeat(300_000) })],
  ])('is none where the file %s, and that is logged', async (_, text) => {
    const { study, warned } = await read(text);
    expect(study).toBeNull();
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatch(/^the last study cannot be read: /);
  });
});
