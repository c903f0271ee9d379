import { readFile, stat } from 'node:fs/promises';
import { type LastStudy, lastStudySchema } from '../api/shared/last-study';
import type { Log } from '../lib/log';

/** Bytes of a study's summary at most. */
const BYTES_MAX = 256 * 1024;

/**
 * The study whose summary lies in `file`; null where none does. One that cannot be read is logged and taken for none: it is
 * the operator's, and its user could do nothing about it.
 */
export async function readLastStudy(file: string, log: Pick<Log, 'warn'>): Promise<LastStudy | null> {
  try {
    const { size } = await stat(file);
    if (size > BYTES_MAX) throw new Error(`it has ${size} bytes; a summary has ${BYTES_MAX} at most`);
    return lastStudySchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn('the last study cannot be read', { file }, error);
    return null;
  }
}
