import { decoded } from '../lib/decoded';

const ID = '{id}';

/** The rows of a path, and what stands in it for `{id}`, decoded. */
interface PathRows<Row> {
  readonly rows: readonly Row[];
  readonly resourceId?: string;
}

/** Builds the look-up of rows by path. One that names a thing outright goes before one with `{id}`. */
export function createPathTable<Row extends { readonly path: string }>(
  rows: readonly Row[],
): (path: string) => PathRows<Row> | undefined {
  const byPath = Map.groupBy(rows, ({ path }) => path);
  const named = new Map([...byPath].filter(([path]) => !path.includes(ID)));
  // What is named behind an id goes before an id that may hold anything.
  const patterns = [...byPath]
    .filter(([path]) => path.includes(ID))
    .map(([path, found]) => ({ parts: path.split(ID), rows: found }))
    .sort((a, b) => (b.parts[1] ?? '').length - (a.parts[1] ?? '').length);

  return (path) => {
    const found = named.get(path);
    if (found) return { rows: found };
    for (const { parts, rows: ofPattern } of patterns) {
      const resourceId = idIn(path, parts);
      if (resourceId !== undefined) return { rows: ofPattern, resourceId };
    }
    return undefined;
  };
}

/** Id between these parts of a path; without one behind it, slashes included. */
function idIn(path: string, [before = '', after = '']: readonly string[]): string | undefined {
  const isLike = path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length;
  const id = isLike ? decoded(path.slice(before.length, path.length - after.length)) : undefined;
  return id === undefined || id.startsWith('/') || (after !== '' && id.includes('/')) ? undefined : id;
}
