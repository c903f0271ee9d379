import { hash } from 'node:crypto';
import type { RateLimit } from '../../access/rate-limit';
import type { Fields, Ref, Snapshot } from '../documents';

export const subscriptionRef = (userId: string) => at('subscriptions', userId);

export const rateLogRef = <F extends object>(userId: string, limit: RateLimit['name']) =>
  at<F>('rateLimits', `${userId}__${limit}`);

/** The reference to a document of any other collection. */
export function at<F extends object = Fields>(...path: readonly string[]): Ref<F> {
  return { path };
}

/**
 * The key of an id in a map field: 96 bits of its SHA-256. Ids are free text, with dots, slashes, or nothing in them;
 * these are not. Firestore reserves names of the form `__x__`, hence no underscore in front.
 */
export function mapKey(id: string): string {
  return hash('sha256', id, 'base64url').slice(0, 16).replace(/^_/, '-');
}

/** Properties that have another name in documents. */
const STORED_NAMES = new Map([
  ['userId', 'uid'],
  ['pepperVersion', 'pepperV'],
]);
const OWN_NAMES = new Map([...STORED_NAMES].map(([own, stored]) => [stored, own]));

/** A record as fields: moments (`createdAtMs`) lose their unit (`createdAt`), what is undefined is left out. */
export function fieldsOf(record: object): Record<string, unknown> {
  const present = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [STORED_NAMES.get(name) ?? name.replace(/Ms$/, ''), value]));
}

/** The reverse of `fieldsOf`. Unchecked, as these repositories alone write the fields. */
export function propertiesOf<R>(fields: object): R {
  const properties = Object.entries(fields).map(([name, value]) => {
    return [/(^at|At|Until)$/.test(name) ? `${name}Ms` : (OWN_NAMES.get(name) ?? name), value];
  });
  return Object.fromEntries(properties) as R;
}

/** The record of a document, whose id is the property `idName`; undefined when there is none. */
export function recordOf<R>({ fields, id }: Snapshot<object>, idName: keyof R & string): R | undefined {
  return fields && propertiesOf<R>({ ...fields, [idName]: id });
}
