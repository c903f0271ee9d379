/*
 * The port over documents that all repositories of this folder are written on. Two backends: `embedded/` (one SQLite file)
 * and `firestore/`.
 */

/**
 * Fields of a document: texts, numbers, truth values, null, lists and maps. Moments are milliseconds since the epoch in
 * fields named `at`, `until`, `…At` or `…Until`; `bytes` may hold a byte array.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** Path of a document: collection and id, as in `apiKeys/{hash}`, and further pairs below it. `F` is what it holds. */
export interface Ref<F extends object = Fields> {
  readonly path: readonly string[];
  readonly holds?: F;
}
export type Refs = readonly Ref<object>[];

/** A document as it was read. */
export interface Snapshot<F extends object = Fields> {
  readonly ref: Ref<F>;
  readonly id: string;
  /** Undefined where there was no document. */
  readonly fields: F | undefined;
  /** Names this state of the document to its backend. */
  readonly version?: unknown;
  /** Sorts documents by their creation. */
  readonly created: number;
  /** The database's own time, where the clocks of processes may differ from it and from each other. */
  readonly serverTime?: { readonly readMs: number; readonly writtenMs: number | undefined };
}

/** Snapshots, one for each reference. */
export type Snapshots<R extends Refs> = {
  -readonly [Index in keyof R]: R[Index] extends Ref<infer F> ? Snapshot<F> : never;
};

/** Changed fields by path (`calls.{id}`): a value, an `Increment` or `REMOVED`. Fields that it does not name stay. */
export type Patch = Readonly<Record<string, unknown>>;

/** One write of a commit. */
export type Write =
  /** Fails where the document exists. */
  | { readonly kind: 'create'; readonly ref: Ref<object>; readonly fields: object }
  /** Creates the document where there was none; fails unless it is still as it was read. */
  | { readonly kind: 'change'; readonly read: Snapshot<object>; readonly patch: Patch }
  /** Creates the document where there is none; with `missing` it fails then, with this message. */
  | { readonly kind: 'merge'; readonly ref: Ref<object>; readonly patch: Patch; readonly missing?: string }
  /** Fails unless the document is still as it was read. */
  | { readonly kind: 'delete'; readonly read: Snapshot<object> }
  /** Removes the document where there is one. */
  | { readonly kind: 'erase'; readonly ref: Ref<object> };

/** Result of an operation, and the writes that make it so: all of them are applied, or none. */
export interface Decision<T> {
  readonly result: T;
  readonly writes?: readonly Write[];
}

/** A condition on a field; `is` compares with a constant of the program, which an index may be restricted to. */
export type Condition = readonly [
  field: string,
  operator: '==' | 'is' | '<' | '>' | '>=' | 'in',
  value: string | number | readonly number[],
];

/** A search in one collection, in the order of a field and then of ids. Documents that lack the field are not found. */
export interface Query<F extends object = Fields> {
  readonly collection: string;
  /** Searches the collections of this name below all documents. */
  readonly everywhere?: true;
  /** The document whose collection is searched; absent for one at the top. */
  readonly below?: Ref<object>;
  readonly where?: readonly Condition[];
  /** Conditions that hold anyway, for a backend whose index needs them. */
  readonly implied?: readonly Condition[];
  readonly orderBy?: string;
  readonly descending?: true;
  /** The last document of the page before, with its value of `orderBy`. */
  readonly after?: { readonly value?: number; readonly id: string } | undefined;
  readonly max?: number;
  /** Another way to find the same, for a database that lacks the index, or is still building it. */
  readonly withoutIndex?: (reader: DocumentReader) => Promise<Snapshot<F>[]>;
  /** Fields that are needed; all by default. */
  readonly select?: readonly (keyof F & string)[];
  readonly holds?: F;
}

export interface DocumentReader {
  get<const R extends Refs>(refs: R): Promise<Snapshots<R>>;
  /** Ids of all documents in the collection of one. */
  idsBeside(ref: Ref<object>): Promise<string[]>;
}

/** An operation that reads, decides and writes as one. */
export interface Change<R extends Refs, T, F extends object = Fields> {
  readonly read: R;
  /** Found as of the moment of what is read. What is decided by it must change one of the documents read. */
  readonly queries?: readonly Query<F>[];
  /** Needed once a try has failed, whose commit may have been applied. */
  readonly readOnRetry?: Refs;
  /** Must be pure, or harmless to repeat: a commit that failed, or may have been applied, is decided again. */
  readonly decide: (read: Snapshots<R>, more: MoreRead<F>) => Decision<T>;
  /** Decides on a result alone, without writes: waits for nobody's. */
  readonly readOnly?: true;
  /** Uses what `get` has read in advance. */
  readonly readBefore?: true;
  /** Changes with the same turn are made one after another in this process: where they would go on failing each other. */
  readonly turn?: string;
  /** The same for tries after the first. */
  readonly turnOnRetry?: string;
  /** Resolves once the writes outlive the process; by default once they would survive a power failure too. */
  readonly until?: 'committed';
  /** Time that it may take; 5 s by default. */
  readonly budgetMs?: number;
}

interface MoreRead<F extends object> {
  /** Documents found, by query. */
  readonly found: readonly (readonly Snapshot<F>[])[];
  readonly onRetry: readonly Snapshot<object>[];
}

/** Documents of one database. Each operation is given a name, for errors. */
export interface Documents {
  /** Reads documents in one round trip, with those that a change will need soon where that saves another. */
  get<const R extends Refs>(name: string, refs: R, inAdvance?: Refs): Promise<Snapshots<R>>;
  find<F extends object>(name: string, query: Query<F>): Promise<Snapshot<F>[]>;
  /** Number of documents that a query finds, and the sum of a field of theirs. */
  total(name: string, query: Query, field: string): Promise<Total>;
  change<const R extends Refs, T, F extends object = Fields>(name: string, change: Change<R, T, F>): Promise<T>;
}

export interface Total {
  count: number;
  sum: number;
}

/** Value of a patch that removes its field. */
export const REMOVED = Symbol('removed');

/** Value of a patch that is added to the number in its field. */
export class Increment {
  readonly by: number;

  constructor(by: number) {
    this.by = by;
  }
}

export const create = <F extends object>(ref: Ref<F>, fields: F): Write => ({ kind: 'create', ref, fields });
export const change = (read: Snapshot<object>, patch: Patch): Write => ({ kind: 'change', read, patch });
export const merge = (ref: Ref<object>, patch: Patch): Write => ({ kind: 'merge', ref, patch });
export const remove = (read: Snapshot<object>): Write => ({ kind: 'delete', read });
export const erase = (ref: Ref<object>): Write => ({ kind: 'erase', ref });

/** Makes writes that depend on nothing. */
export function write(documents: Documents, name: string, writes: readonly Write[]): Promise<void> {
  return documents.change(name, { read: [], decide: () => ({ result: undefined, writes }) });
}
