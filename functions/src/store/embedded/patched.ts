import { type Fields, Increment, type Patch, REMOVED } from '../documents';

/** Fields with a patch applied; what the patch does not name is as it was. */
export function patched(fields: Fields, patch: Patch): Fields {
  const result: Record<string, unknown> = { ...fields };
  const copied = new Set<object>([result]);
  for (const [path, value] of Object.entries(patch)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let map = result;
    for (const name of names) map = ownCopy(map, name, copied);
    if (value === REMOVED) delete map[last];
    else map[last] = incremented(map[last], value);
  }
  return result;
}

function incremented(before: unknown, value: unknown): unknown {
  if (value instanceof Increment) return Number(before ?? 0) + value.by;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value);
  if (!fields.some(([, field]) => field instanceof Increment)) return value;
  const counts = (before ?? {}) as Fields;
  return Object.fromEntries(fields.map(([name, field]) => [name, incremented(counts[name], field)]));
}

/** The map in a field, copied once so that the one that was read stays as it is. */
function ownCopy(map: Record<string, unknown>, name: string, copied: Set<object>): Record<string, unknown> {
  const found = Object.hasOwn(map, name) ? (map[name] as Record<string, unknown>) : {};
  if (copied.has(found)) return found;
  const copy = { ...found };
  map[name] = copy;
  copied.add(copy);
  return copy;
}
