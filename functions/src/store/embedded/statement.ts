import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A prepared statement that takes `P` and yields rows of type `R`. */
export interface Statement<P extends SQLInputValue[], R> {
  /** The first row, if any. */
  get(...values: P): R | undefined;
  all(...values: P): R[];
  /** Executes; returns how many rows were changed. */
  run(...values: P): number;
}

/**
 * Prepares `sql` once for all uses. `R` is the caller's statement of what the columns hold: column names are part of
 * the SQL beside it and the tables are STRICT, so the database vouches for the types.
 */
export function prepare<P extends SQLInputValue[], R = never>(db: DatabaseSync, sql: string): Statement<P, R> {
  const statement = db.prepare(sql);
  return {
    get: (...values) => statement.get(...values) as unknown as R | undefined,
    all: (...values) => statement.all(...values) as unknown as R[],
    run: (...values) => Number(statement.run(...values).changes),
  };
}
