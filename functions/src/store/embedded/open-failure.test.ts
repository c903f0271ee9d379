import { openFailure } from './open-failure';

describe('openFailure', () => {
  it.each([
    [{ code: 'ERR_SQLITE_ERROR', errcode: 13, message: 'database or disk is full' }, 'the disk is full'],
    [{ code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' }, 'the disk is full'],
    // SQLITE_IOERR_SHMSIZE: the low byte says what it is, the rest where.
    [{ code: 'ERR_SQLITE_ERROR', errcode: 4874, message: 'disk I/O error' }, 'the disk may be full or broken'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 8, message: 'attempt to write a readonly database' }, 'may not be written'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 5, message: 'database is locked' }, 'another process has held it'],
    [{ code: 'EACCES', message: 'EACCES: permission denied, open' }, 'this user may not read or write there'],
    [{ code: 'EROFS', message: 'EROFS: read-only file system' }, 'the file system is read-only'],
    [{ message: 'something else' }, 'something else'],
  ])('of %j says: %s', (error, reason) => {
    const { message, cause } = openFailure('/data/ensemble.db', Object.assign(new Error(error.message), error));
    expect(message).toMatch(/^Cannot use \/data\/ensemble\.db: .*\. Its directory is set by DATA_DIR$/);
    expect(message).toContain(reason);
    // The command line shows the cause after it: what was said is not said twice.
    expect((cause as Error | undefined)?.message).not.toBe(reason);
  });
});
