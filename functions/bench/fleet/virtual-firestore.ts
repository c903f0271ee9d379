import type { DocumentReference, Precondition } from '@google-cloud/firestore';
import type { Database } from '../../src/store/firestore/session';
import type { VirtualTime } from './virtual-time';

type Fields = Record<string, unknown>;

interface Stored {
  readonly fields: Fields;
  /** Microseconds, as Firestore's own, and never twice the same for one document. */
  readonly updatedUs: number;
}

/** How long things take, drawn anew each time. */
export interface Latencies {
  /** One way between a process and the database. */
  wayMs(): number;
  /** What the database needs for a read. */
  readMs(): number;
  /** For a commit; the documents that it writes take no other one meanwhile. */
  commitMs(): number;
}

interface Write {
  readonly path: string;
  readonly kind: 'create' | 'set' | 'update';
  readonly fields: Fields;
  readonly precondition?: Precondition | undefined;
}

class Increment {
  readonly by: number;

  constructor(by: number) {
    this.by = by;
  }
}

const DELETED = Symbol('deleted');
const FAILED_PRECONDITION = 9;
const ALREADY_EXISTS = 6;
const NOT_FOUND = 5;

/**
 * As much of Firestore as access, admission and settlement use: documents, reads of several at one moment, commits with
 * preconditions of which those of one document take turns. Nothing is lost and nothing times out by itself.
 */
export class VirtualFirestore {
  readonly #documents = new Map<string, Stored>();
  readonly #freeAtMs = new Map<string, number>();
  /** Commits that were applied, by path of what they wrote. */
  readonly #applied = new Map<string, number>();
  readonly #time: VirtualTime;
  /** Commits that failed, because what they depend on had changed. */
  refused = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Writes a document as if it had always been there. */
  seed(path: string, fields: Fields): void {
    this.#documents.set(path, { fields, updatedUs: (this.#time.nowMs - 60_000) * 1_000 });
  }

  /** How often each document was written. */
  writesOf(path: string): number {
    return this.#applied.get(path) ?? 0;
  }

  /** The database as one process has it: of Firestore's own client no more than is asked of it. */
  connect(latencies: Latencies): Database {
    const doc = (path: string) => ({ path, id: path.slice(path.lastIndexOf('/') + 1) }) as DocumentReference;
    const db = {
      doc,
      getAll: async (...refs: DocumentReference[]) => {
        await this.#time.sleep(latencies.wayMs());
        await this.#time.sleep(latencies.readMs());
        const snapshots = refs.map((ref) => this.#snapshot(ref));
        await this.#time.sleep(latencies.wayMs());
        return snapshots;
      },
      runTransaction: async (work: (transaction: object) => Promise<unknown>) => {
        const writes: Write[] = [];
        const result = await work(collector(writes));
        await this.#time.sleep(latencies.wayMs());
        const refusal = await this.#commit(writes, latencies);
        await this.#time.sleep(latencies.wayMs());
        if (refusal !== undefined) throw Object.assign(new Error('refused'), { code: refusal });
        return result;
      },
    };
    const FieldValue = { increment: (by: number) => new Increment(by), delete: () => DELETED };
    return { db, FieldValue, AggregateField: undefined } as unknown as Database;
  }

  #snapshot(ref: DocumentReference): object {
    const stored = this.#documents.get(ref.path);
    return {
      ref,
      id: ref.id,
      exists: stored !== undefined,
      get: (field: string) => stored?.fields[field],
      data: () => stored && { ...stored.fields },
      updateTime: stored && timestampOf(stored.updatedUs),
      readTime: timestampOf(this.#time.nowMs * 1_000),
    };
  }

  /** The code of what refuses it; undefined where it was applied. One that is refused keeps no other one waiting. */
  async #commit(writes: readonly Write[], { commitMs, readMs }: Latencies): Promise<number | undefined> {
    await this.#turn(writes);
    const refusal = writes.map((write) => this.#refusalOf(write)).find((code) => code !== undefined);
    if (refusal !== undefined) {
      this.refused += 1;
      await this.#time.sleep(readMs());
      return refusal;
    }
    const tookMs = commitMs();
    for (const { path } of writes) this.#freeAtMs.set(path, this.#time.nowMs + tookMs);
    await this.#time.sleep(tookMs);
    for (const write of writes) this.#apply(write);
    return undefined;
  }

  /** Resolves once no other commit is at one of the documents. */
  async #turn(writes: readonly Write[]): Promise<void> {
    for (;;) {
      const freeAtMs = Math.max(...writes.map(({ path }) => this.#freeAtMs.get(path) ?? 0));
      if (freeAtMs <= this.#time.nowMs) return;
      await this.#time.sleep(freeAtMs - this.#time.nowMs);
    }
  }

  #refusalOf({ path, kind, precondition }: Write): number | undefined {
    const stored = this.#documents.get(path);
    if (kind === 'create') return stored && ALREADY_EXISTS;
    if (kind === 'update' && !stored) return NOT_FOUND;
    const read = precondition?.lastUpdateTime;
    const isChanged = read && stored && microsecondsOf(read) !== stored.updatedUs;
    return isChanged ? FAILED_PRECONDITION : undefined;
  }

  #apply({ path, kind, fields }: Write): void {
    const before = this.#documents.get(path);
    const merged = merge(kind === 'create' ? {} : (before?.fields ?? {}), fields);
    const updatedUs = Math.max(Math.floor(this.#time.nowMs * 1_000), (before?.updatedUs ?? 0) + 1);
    this.#documents.set(path, { fields: merged, updatedUs });
    this.#applied.set(path, this.writesOf(path) + 1);
  }
}

function collector(writes: Write[]): object {
  return {
    create: ({ path }: DocumentReference, fields: Fields) => writes.push({ path, kind: 'create', fields }),
    set: ({ path }: DocumentReference, fields: Fields) => writes.push({ path, kind: 'set', fields }),
    update: ({ path }: DocumentReference, fields: Fields, precondition?: Precondition) =>
      writes.push({ path, kind: 'update', fields, precondition }),
  };
}

/** What is given on top of what is there: maps within by their keys, as a merge does. */
function merge(before: Fields, given: Fields): Fields {
  const after = { ...before };
  for (const [name, value] of Object.entries(given)) {
    const old = before[name];
    if (value === DELETED) delete after[name];
    else if (value instanceof Increment) after[name] = Number(old ?? 0) + value.by;
    else after[name] = isMap(value) ? merge(isMap(old) ? old : {}, value) : value;
  }
  return after;
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function timestampOf(us: number) {
  const whole = Math.floor(us);
  return { seconds: Math.floor(whole / 1e6), nanoseconds: (whole % 1e6) * 1_000 };
}

function microsecondsOf({ seconds, nanoseconds }: { seconds: number; nanoseconds: number }): number {
  return seconds * 1e6 + nanoseconds / 1_000;
}
