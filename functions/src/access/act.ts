import { type Clock, newId } from '../lib/clock';

export type ActName =
  | 'keys.create'
  | 'keys.rotate'
  | 'keys.change'
  | 'keys.revoke'
  | 'subscriptions.set'
  | 'budgets.set'
  | 'router_key.save'
  | 'router_key.remove'
  | 'router_models.add'
  | 'router_models.remove'
  | 'sessions.end';

/** Author of an act: an operator on the command line, the user, or the service by itself. */
export type Actor = 'cli' | 'user' | 'system';

/** An administrative act, as the audit trail keeps it: 400 days, never changed. */
export interface Act {
  readonly actId: string;
  readonly atMs: number;
  readonly actor: Actor;
  readonly name: ActName;
  readonly userId: string;
  /** Target of the act, such as a key's id; null where the user says it all. */
  readonly target: string | null;
  /** Never a secret. */
  readonly details: Readonly<Record<string, string | number | null>>;
}

export interface ActQuery {
  readonly userId?: string;
  readonly sinceMs: number;
  readonly max: number;
}

export interface ActStore {
  /** The newest `max` acts, newest first. */
  listActs(query: ActQuery): Promise<Act[]>;
  /** Records what was done elsewhere than in the store, once it is done. */
  recordAct(act: Act): Promise<void>;
}

export interface ActSource {
  readonly actor: Actor;
  readonly network?: string;
}

export function byUser({ network }: { readonly network?: string | undefined }): ActSource {
  return { actor: 'user', ...(network !== undefined && { network }) };
}

export function newAct(
  clock: Clock,
  {
    target = null,
    details = {},
    network,
    ...act
  }: Pick<Act, 'name' | 'userId'> & Partial<Pick<Act, 'target' | 'details'>> & ActSource,
): Act {
  const all = network === undefined ? details : { ...details, network };
  return { actId: newId(clock), atMs: clock.nowMs(), ...act, target, details: all };
}
