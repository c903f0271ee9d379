import { reloadForNewerBuild } from './newer-build';

/** The failure of a program that a page loads later, by itself or with what it needs. */
export class NotLoaded extends Error {}

/** Loads a program of the page; where it is gone because of a newer build, the page reloads, and this never settles. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    if (await reloadForNewerBuild()) return new Promise(() => {});
    throw new NotLoaded('A program of the page could not be loaded', { cause });
  }
}
