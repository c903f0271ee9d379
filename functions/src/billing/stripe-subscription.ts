/*
 * What was paid for: subscriptions of billing systems, and what they say of a user. May import the port in
 * `guard/subscription`; must not know a database or a billing system's API.
 */

/** A subscription as Stripe's extension for Firebase keeps it, as far as it matters here. */
export interface StripeSubscription {
  readonly id: string;
  readonly status: string;
  /** Ids of the prices and products that are subscribed to. */
  readonly subscribedTo: readonly string[];
  /** `firebaseRole` in the product's metadata. */
  readonly role?: string;
  readonly createdAtMs: number;
  readonly periodEndsAtMs?: number;
  /** Set where it ends with its period. */
  readonly endsWithPeriod: boolean;
  /** Time of its end, past or future. */
  readonly endsAtMs?: number;
  readonly trialEndsAtMs?: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a document of the extension. What is missing or of another kind is taken for not said. */
export function readStripeSubscription(id: string, document: Fields): StripeSubscription {
  const items = Array.isArray(document['items']) ? document['items'].map(fieldsOf) : [];
  const prices = items.map((item) => fieldsOf(item['price']));
  const ids = [document['price'], document['product'], ...prices, ...prices.map(({ product }) => product)].map(idOf);
  const role = textOf(document['role']);
  const moments = {
    // Newer versions of Stripe's API have the period with each item.
    periodEndsAtMs: momentOf(document['current_period_end']) ?? momentOf(items[0]?.['current_period_end']),
    endsAtMs: momentOf(document['ended_at']) ?? momentOf(document['cancel_at']),
    trialEndsAtMs: momentOf(document['trial_end']),
  };
  const said = Object.entries(moments).filter(([, value]) => value !== undefined);
  return {
    id,
    status: textOf(document['status']) ?? 'incomplete',
    subscribedTo: [...new Set(ids.filter((found) => found !== undefined))],
    ...(role !== undefined && { role }),
    createdAtMs: momentOf(document['created']) ?? 0,
    endsWithPeriod: document['cancel_at_period_end'] === true,
    ...Object.fromEntries(said),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Id of a thing, of a reference to it, or the id itself. */
function idOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(fieldsOf(value)['id']);
}

/** A timestamp of Firestore, or Unix seconds as Stripe has them. */
function momentOf(value: unknown): number | undefined {
  const toMillis = fieldsOf(value)['toMillis'];
  const timeMs = typeof toMillis === 'function' ? toMillis.call(value) : Number(value) * 1000;
  return (typeof value === 'number' || typeof toMillis === 'function') && Number.isSafeInteger(timeMs)
    ? timeMs
    : undefined;
}
