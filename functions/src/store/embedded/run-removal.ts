import type { Connection } from './connection';
import type { Statement } from './statement';

type Removed = { readonly run: number };

/** Parts deleted in one transaction, of a few megabytes each: what is deleted is overwritten, and everybody waits for it. */
const PARTS_MAX = 4;

/** Removal of runs in two steps: hidden at once, in the transaction that decides so, and then deleted piece by piece. */
export interface RunRemoval {
  /** Hides the runs that a condition is true of; `all` gives those that `remove` takes. */
  hide<P extends object>(condition: string): Statement<P, Removed>;
  /** Deletes hidden runs with their parts; resolves how many there were. */
  remove(runs: readonly Removed[]): Promise<number>;
  /** Deletes a piece of any hidden run, within a write; 0 when there is none. */
  removePiece(): number;
}

/** A hidden run is nobody's, so that no user finds it; what a process leaves behind when it ends, `removePiece` deletes. */
export function runRemoval(connection: Connection): RunRemoval {
  const hidden = connection.prepare<object, Removed>("SELECT run FROM runs WHERE user_id = '' LIMIT 1");
  const parts = connection.prepare<Removed>(
    `DELETE FROM run_parts WHERE rowid IN (SELECT rowid FROM run_parts WHERE run = :run LIMIT ${PARTS_MAX})`,
  );
  const row = connection.prepare<Removed>('DELETE FROM runs WHERE run = :run');
  const pieceOf = (run: Removed): number => parts.run(run) || row.run(run);
  return {
    hide: (condition) => connection.prepare(`UPDATE runs SET user_id = '' WHERE ${condition} RETURNING run`),

    remove: async (runs) => {
      for (const run of runs) while ((await connection.write(() => pieceOf(run))) > 0);
      return runs.length;
    },

    removePiece: () => {
      const run = hidden.get({});
      return run ? pieceOf(run) : 0;
    },
  };
}
