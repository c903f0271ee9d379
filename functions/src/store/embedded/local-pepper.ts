import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pepper, parsePeppers } from '../../guard/api-key';
import { type Clock, newId } from '../../lib/clock';

/**
 * The pepper of a deployment that sets no `KEY_PEPPER`: a random one, made once and kept beside the embedded store,
 * readable by its owner only. Several processes may start at the same time; the first to write wins.
 */
export function localPepper(directory: string, clock: Clock): Pepper {
  const file = join(directory, 'key-pepper');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) create(file, clock);
  const [pepper] = parsePeppers(readFileSync(file, 'utf8'));
  if (!pepper) throw new Error(`${file} is empty`);
  return pepper;
}

/** Written under another name and linked: nobody ever reads half a file. */
function create(file: string, clock: Clock): void {
  const draft = `${file}.${newId(clock)}`;
  writeFileSync(draft, Buffer.from(clock.randomBytes(32)).toString('base64url'), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
