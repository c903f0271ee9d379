import { SettingsError } from '../../lib/settings-reader';

/** Meaning of SQLite's primary result codes when a store is opened. */
const OF_SQLITE: ReadonlyMap<number, string> = new Map([
  [3, 'it may not be read or written by this user'],
  [5, 'another process has held it for too long'],
  [8, 'it may not be written by this user'],
  [10, 'reading or writing it failed: the disk may be full or broken'],
  [11, 'it is damaged: restore it from a backup'],
  [13, 'the disk is full'],
  [14, 'it cannot be opened as a file'],
  [23, 'it may not be read or written by this user'],
  [26, 'it is not a database: another program wrote it, or it is damaged'],
]);

/** The same of the system's own error codes. */
const OF_SYSTEM: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'this user may not read or write there'],
  ['EPERM', 'this user may not read or write there'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EEXIST', 'a file stands where its directory should be'],
  ['ENOTDIR', 'a file stands where its directory should be'],
  ['ENOENT', 'no directory can be made there'],
  ['EISDIR', 'a directory stands in its place'],
  ['EMFILE', 'too many files are open'],
  ['ENAMETOOLONG', 'its path is too long'],
]);

/**
 * Why a file of the data directory cannot be used, in a sentence that names it and the setting that leads to it; what
 * lies behind is the cause.
 */
export function openFailure(path: string, error: unknown): Error {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string };
  const known = OF_SQLITE.get(Number(errcode) & 0xff) ?? OF_SYSTEM.get(code ?? '');
  const reason = known ?? message ?? 'it failed';
  return new SettingsError(
    `Cannot use ${path}: ${reason}. Its directory is set by DATA_DIR`,
    known ? { cause: error } : {},
  );
}
