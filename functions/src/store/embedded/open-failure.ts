import { SettingsError } from '../../lib/settings-reader';

const FORBIDDEN = 'this user may not read or write there';
const FILE_IN_THE_WAY = 'a file stands where its directory should be';

/** Meaning of SQLite's primary result codes and of the system's error codes when a store is opened. */
const MEANINGS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [3, 'it may not be read or written by this user'],
  [5, 'another process has held it for too long'],
  [8, 'it may not be written by this user'],
  [10, 'reading or writing it failed: the disk may be full or broken'],
  [11, 'it is damaged: restore it from a backup'],
  [13, 'the disk is full'],
  [14, 'it cannot be opened as a file'],
  [23, 'it may not be read or written by this user'],
  [26, 'it is not a database: another program wrote it, or it is damaged'],
  ['EACCES', FORBIDDEN],
  ['EPERM', FORBIDDEN],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EEXIST', FILE_IN_THE_WAY],
  ['ENOTDIR', FILE_IN_THE_WAY],
  ['ENOENT', 'no directory can be made there'],
  ['EISDIR', 'a directory stands in its place'],
  ['EMFILE', 'too many files are open'],
  ['ENAMETOOLONG', 'its path is too long'],
]);

/** Error for a file of the data directory that cannot be used: names it and the setting that leads to it. */
export function openFailure(path: string, error: unknown): Error {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string };
  const known = MEANINGS.get(Number(errcode) & 0xff) ?? MEANINGS.get(code);
  const reason = known ?? message ?? 'it failed';
  return new SettingsError(
    `Cannot use ${path}: ${reason}. Its directory is set by DATA_DIR`,
    known ? { cause: error } : {},
  );
}
