import type { JsonObject } from './canonical-json';

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
