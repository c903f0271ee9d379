import { decoded } from './decoded';
import type { AccountRoute } from './route';

/** Where all routes of the dashboard are. */
export const ACCOUNT_PATH = '/dashboard/';
const ID = '{id}';

/** The rows of a path, and what stands in it for `{id}`, decoded. */
interface AccountRows {
  readonly rows: readonly AccountRoute[];
  readonly resourceId?: string;
}

/** Builds the look-up of the dashboard's routes by path. One that names a thing outright goes before one with `{id}`. */
export function createAccountTable(routes: readonly AccountRoute[]): (path: string) => AccountRows | undefined {
  const byPath = Map.groupBy(routes, ({ path }) => path as string);
  const named = new Map([...byPath].filter(([path]) => !path.includes(ID)));
  // What is named behind an id goes before an id that may hold anything.
  const patterns = [...byPath]
    .filter(([path]) => path.includes(ID))
    .map(([path, rows]) => ({ parts: path.split(ID), rows }))
    .sort((a, b) => (b.parts[1] ?? '').length - (a.parts[1] ?? '').length);

  return (path) => {
    if (!path.startsWith(ACCOUNT_PATH)) return undefined;
    const rows = named.get(path);
    if (rows) return { rows };
    for (const { parts, rows } of patterns) {
      const resourceId = idIn(path, parts);
      if (resourceId !== undefined) return { rows, resourceId };
    }
    return undefined;
  };
}

/** What stands for the id between these parts of a path; without one behind it, slashes included. */
function idIn(path: string, [before = '', after = '']: readonly string[]): string | undefined {
  const isLike = path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length;
  const id = isLike ? decoded(path.slice(before.length, path.length - after.length)) : undefined;
  return id === undefined || id.startsWith('/') || (after !== '' && id.includes('/')) ? undefined : id;
}
