import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A prepared statement; `P` has a property for each of its `:name`s, others are ignored. */
export interface Statement<P, R> {
  /** The first row, if any. */
  get(values: P): R | undefined;
  all(values: P): R[];
  /** Returns how many rows were changed. */
  run(values: P): number;
}

/** Prepares a statement of one database. */
export type Prepare = <P extends object, R extends object = never>(sql: string) => Statement<P, R>;

/**
 * Prepares `sql` once for all uses. `R` is what the caller says its columns hold: their names are in the SQL beside it,
 * and the tables are STRICT, so the database vouches for the types.
 */
export function prepare<P extends object, R extends object = never>(db: DatabaseSync, sql: string): Statement<P, R> {
  const statement = db.prepare(sql);
  statement.setAllowUnknownNamedParameters(true);
  const named = (values: P) => values as Record<string, SQLInputValue>;
  return {
    get: (values) => statement.get(named(values)) as R | undefined,
    all: (values) => statement.all(named(values)) as R[],
    run: (values) => Number(statement.run(named(values)).changes),
  };
}
