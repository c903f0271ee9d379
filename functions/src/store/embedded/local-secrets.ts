import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Pepper, parsePeppers } from '../../access/peppers';
import { type KeyRing, parseKeyRing } from '../../byok/secret-box';
import { type Clock, newId } from '../../lib/clock';
import { SettingsError } from '../../lib/settings-reader';
import { makeDirectory } from '../make-directory';
import { openFailure } from './open-failure';

/** The pepper of a deployment that sets no `KEY_PEPPER`: a random one, made once and kept beside the embedded store. */
export function localPepper(directory: string, clock: Clock): Pepper {
  const file = join(directory, 'key-pepper');
  const [pepper] = parsePeppers(localSecret(file, clock, 'base64url'));
  if (!pepper)
    throw new SettingsError(`${file} is empty: restore it (DATA_DIR names its directory), or set KEY_PEPPER`);
  return pepper;
}

/**
 * The key ring of a deployment that sets no `ROUTER_KEY_SECRET`, made and kept likewise: it protects router keys in a
 * copy of the database alone, not in one of the whole directory.
 */
export function localKeyRing(directory: string, clock: Clock): KeyRing {
  const file = join(directory, 'router-key-secret');
  const secret = localSecret(file, clock, 'base64').trim();
  try {
    return parseKeyRing(`local:${secret}`);
  } catch (error) {
    const text = `${file} does not hold 32 bytes in base64: restore it (DATA_DIR names its directory), or set ROUTER_KEY_SECRET`;
    throw new SettingsError(text, { cause: error });
  }
}

/** 32 random bytes as text, readable by their owner only, made by the first process that needs them. */
function localSecret(file: string, clock: Clock, encoding: 'base64' | 'base64url'): string {
  try {
    makeDirectory(dirname(file));
    if (!existsSync(file)) create(file, Buffer.from(clock.randomBytes(32)).toString(encoding), newId(clock));
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw openFailure(file, error);
  }
}

/** Written under another name and linked, so that half a file is never read. */
function create(file: string, secret: string, draftId: string): void {
  const draft = `${file}.${draftId}`;
  writeFileSync(draft, secret, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
