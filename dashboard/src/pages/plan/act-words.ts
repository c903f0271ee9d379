import type { Schema } from '../../api/client';
import { exactMoment } from '../../ui/format-moment';
import { usd } from '../../ui/format-number';
import { statusWords, tierWords } from '../../ui/plan-status';

type Act = Schema<'Act'>;

/** The names of keys, by id; undefined for a name that is no longer known. */
export type KeyNames = ReadonlyMap<string, string>;

const WHO: Readonly<Record<Act['by'], string>> = { user: 'You', cli: 'An operator', system: 'The service' };

type Told = (act: Act, names: KeyNames) => string;

const WORDS: ReadonlyMap<string, Told> = new Map(
  Object.entries<Told>({
    'keys.create': (act, names) => `Created ${keyOf(act, names)}`,
    'keys.rotate': (act, names) => `Rotated ${keyOf(act, names)}${worksUntil(act)}`,
    'keys.change': (act, names) => `Changed ${keyOf(act, names)}`,
    'keys.revoke': (act, names) => `Revoked ${keyOf(act, names)}`,
    'subscriptions.set': ({ details: { tier = null, status = null } }) =>
      `Set the plan to ${tierWords(textOf(tier))}, ${statusWords(textOf(status)).label.toLowerCase()}`,
    'budgets.set': ({ details: { monthlyUsd } }) =>
      typeof monthlyUsd === 'number' ? `Set the monthly budget to ${usd(monthlyUsd)}` : 'Removed the monthly budget',
    'router_key.save': ({ details: { last4 } }) => `Saved a router key that ends in ${last4}`,
    'router_key.remove': () => 'Removed the router key',
    'router_models.add': ({ details: { slugs } }) =>
      `Added models of the router: ${String(slugs).replaceAll(' ', ', ')}`,
    'router_models.remove': ({ target }) => `Removed the router model ${target}`,
    'sessions.end': () => 'Signed out everywhere',
  }),
);

/** The act in words; one that is not known here yet, as the API names it. */
export function actWords(act: Act, names: KeyNames): string {
  return WORDS.get(act.what)?.(act, names) ?? act.what;
}

/** The actor in words. */
export function actorWords({ by }: Act): string {
  return WHO[by];
}

function keyOf({ target, details: { name } }: Act, names: KeyNames): string {
  const known = typeof name === 'string' ? name : names.get(target ?? '');
  return known === undefined ? 'a key' : `the key “${known}”`;
}

function worksUntil({ at, details: { worksUntil: until } }: Act): string {
  if (typeof until !== 'string') return '';
  const untilMs = Date.parse(until);
  return untilMs <= Date.parse(at)
    ? ', the old one ended at once'
    : `, the old one works until ${exactMoment(untilMs)}`;
}

function textOf(value: string | number | null): string | null {
  return value === null ? null : String(value);
}
