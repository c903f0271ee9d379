/** An object of JSON, whatever its names: read them with `Object.hasOwn`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True if a value of JSON is an object, which a list is not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts work, in comparisons, before it is done; throws where there is to be no more of it. */
export type Spend = (steps: number) => void;

/** Steps that reading, writing or comparing a text takes: one, and one more for every 16 characters. */
export function costOf(text: string): number {
  return 1 + text.length / 16;
}

/** A text that two values of JSON share when they are equal: names in order, numbers by what they are worth. */
export function canonicalJson(value: unknown, spend: Spend = () => undefined): string {
  spend(typeof value === 'string' ? costOf(value) : 1);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, spend)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value === 0 ? 0 : value);
  const names = namesIn(value, spend).sort((a, b) => {
    spend(1 / 4);
    return a < b ? -1 : 1;
  });
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name], spend)}`).join(',')}}`;
}

/** The names in an object, paid for. */
export function namesIn(object: JsonObject, spend: Spend): string[] {
  const names = Object.keys(object);
  spend(names.reduce((sum, name) => sum + costOf(name), 0));
  return names;
}

/** A JSON pointer (RFC 6901) one step longer: `~` and `/` in a name are written `~0` and `~1`. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${typeof step === 'number' ? step : step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value that a reference such as `#/$defs/item` points to in its own document; undefined for all others. */
export function referredTo(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  const steps = reference.split('/').slice(1);
  return steps.reduce<unknown>((value, text) => {
    const step = typeof value === 'object' && value !== null ? stepOf(text) : undefined;
    return step !== undefined && Object.hasOwn(value as object, step) ? (value as JsonObject)[step] : undefined;
  }, root);
}

function stepOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
