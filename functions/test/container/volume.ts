import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A data directory for a container, owned by the user of the image as a new volume is. */
export async function newVolume(owner = 65_532): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'ensemble-volume-'));
  await giveTo(path, owner);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Gives a data directory and what lies in it to the user of the image, as `chown --recursive` does. */
export async function giveTo(path: string, owner: number): Promise<void> {
  for (const name of ['', ...(await readdir(path))]) await chown(join(path, name), owner, owner);
}
