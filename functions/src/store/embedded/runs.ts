import type { KeptMax, KeptRun, RunPart, RunPlace, RunRef, RunStore } from '../../runs/run-store';
import type { Connection } from './connection';
import { hasEnded, processName } from './owner';
import { runRemoval } from './run-removal';

/** Fields of a run that never change, beside what has a column. */
interface About extends Pick<KeptRun, 'endpoint' | 'prompt' | 'strategy' | 'rounds' | 'models'> {
  /** The process that plays it, where processes have names. */
  readonly owner?: string | undefined;
}

/** A run as it is stored: `about` and `progress` are JSON, read whole and searched by nothing. */
interface RunRow extends RunRef, Pick<KeptRun, 'startedAtMs' | 'expiresAtMs' | 'evaluationCount'> {
  readonly run: number;
  readonly stopRequested: 0 | 1;
  readonly about: string;
  readonly progress: string;
}

const COLUMNS = `run, user_id AS userId, run_id AS runId, started_at_ms AS startedAtMs, expires_at_ms AS expiresAtMs,
  stop_requested AS stopRequested, about, progress,
  (SELECT count(*) FROM run_parts WHERE run_parts.run = runs.run AND kind = 'evaluation') AS evaluationCount`;
const OF_REF = 'WHERE user_id = :userId AND run_id = :runId';
/** Runs hidden in one transaction, and removed after it. */
const HIDDEN_MAX = 20;
const BEHIND_ALL: RunPlace = { startedAtMs: Number.MAX_SAFE_INTEGER, runId: '' };

/** Kept runs: a row for each, and one for every part. */
export function embeddedRuns(connection: Connection): RunStore {
  const find = connection.prepare<RunRef, RunRow>(`SELECT ${COLUMNS} FROM runs ${OF_REF}`);
  const insert = connection.prepare<ReturnType<typeof rowOf>, Pick<RunRow, 'run'>>(`
    INSERT INTO runs (user_id, run_id, started_at_ms, expires_at_ms, stop_requested, about, progress)
      VALUES (:userId, :runId, :startedAtMs, :expiresAtMs, 0, :about, :progress)
      ON CONFLICT DO NOTHING RETURNING run
  `);
  const advance = connection.prepare<RunRef & Pick<RunRow, 'progress'>, Pick<RunRow, 'run' | 'stopRequested'>>(
    `UPDATE runs SET progress = :progress ${OF_REF} RETURNING run, stop_requested AS stopRequested`,
  );
  const stop = connection.prepare<RunRef>(`UPDATE runs SET stop_requested = 1 ${OF_REF}`);
  const list = connection.prepare<RunPlace & { userId: string; max: number }, RunRow>(`
    SELECT ${COLUMNS} FROM runs WHERE user_id = :userId AND (started_at_ms, run_id) < (:startedAtMs, :runId)
      ORDER BY started_at_ms DESC, run_id DESC LIMIT :max
  `);
  const { hide, remove } = runRemoval(connection);
  const hideOne = hide<RunRef>('user_id = :userId AND run_id = :runId');
  const hideSome = hide<{ userId: string }>(
    `run IN (SELECT run FROM runs WHERE user_id = :userId LIMIT ${HIDDEN_MAX})`,
  );
  const hideOldest = hide<KeptMax & { userId: string; run: number }>(`
    run <> :run AND run IN (
      SELECT run FROM (
        SELECT run, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM runs WHERE user_id = :userId
          WINDOW newest AS (ORDER BY run = :run DESC, started_at_ms DESC, run_id DESC)
      ) WHERE place > :runs OR total > :bytes
    ) AND NOT (progress ->> 'state' = 'running' AND progress ->> 'leaseUntilMs' > :nowMs)
  `);
  // One that is written again counts once: what becomes an update is no insert for the trigger.
  const put = connection.prepare<RunPart & { run: number; kind: string }>(`
    INSERT INTO run_parts VALUES (:run, :kind, :from, :to, :bytes)
      ON CONFLICT DO UPDATE SET after = excluded.after, bytes = excluded.bytes
  `);
  const part = connection.prepare<RunRef & { kind: string; place: number }, RunPart>(`
    SELECT first AS "from", after AS "to", run_parts.bytes FROM run_parts JOIN runs USING (run) ${OF_REF}
      AND kind = :kind AND (first = :place OR after > :place) ORDER BY first LIMIT 1
  `);

  return {
    createRun: async (run, request, max) => {
      const surplus = await connection.write(() => {
        const created = insert.get(rowOf(run));
        if (!created) return [];
        put.run({ ...created, kind: 'request', from: 0, to: 1, bytes: request });
        return hideOldest.all({ ...max, ...created, userId: run.userId });
      });
      await remove(surplus);
    },

    writeRun: (kept, events) =>
      connection.write(() => {
        const { userId, runId, progress } = rowOf(kept);
        const row = advance.get({ userId, runId, progress });
        if (!row) return 'deleted';
        if (events) put.run({ ...events, run: row.run, kind: 'events' });
        return row.stopRequested ? 'stop requested' : 'ok';
      }),

    requestStop: (ref) => connection.write(() => void stop.run(ref)),

    findRun: (ref) => connection.read(() => runOf(find.get(ref))),

    readPart: (ref, kind, place) => connection.read(() => part.get({ ...ref, kind, place })),

    listRuns: (userId, { before = BEHIND_ALL, max }) =>
      connection.read(() => list.all({ ...before, userId, max }).flatMap((row) => runOf(row) ?? [])),

    deleteRuns: async (userId, runId) =>
      remove(
        await connection.write(() => (runId === undefined ? hideSome.all({ userId }) : hideOne.all({ userId, runId }))),
      ),

    addEvaluation: async (ref, bytes, max) => {
      const surplus = await connection.write(() => {
        const row = find.get(ref);
        if (!row || row.evaluationCount >= max.evaluations) return undefined;
        const { run, evaluationCount: from } = row;
        put.run({ run, kind: 'evaluation', from, to: from + 1, bytes });
        return hideOldest.all({ ...max, run, userId: ref.userId });
      });
      await remove(surplus ?? []);
      return surplus !== undefined;
    },
  };
}

function rowOf({ userId, runId, startedAtMs, expiresAtMs, stopRequested: _, evaluationCount: __, ...run }: KeptRun) {
  const { endpoint, prompt, strategy, rounds, models, ...progress } = run;
  const about: About = { endpoint, prompt, strategy, rounds, models, owner: processName(process.pid) };
  return {
    ...{ userId, runId, startedAtMs, expiresAtMs },
    ...{ about: JSON.stringify(about), progress: JSON.stringify(progress) },
  };
}

function runOf(row: RunRow | undefined): KeptRun | undefined {
  if (!row) return undefined;
  const { run: _, about, progress, stopRequested, ...columns } = row;
  const { owner, ...stored }: About & KeptRun = { ...JSON.parse(about), ...JSON.parse(progress) };
  // Waiting for the end of a lease is needless where its holder is known to be dead.
  const isLost = stored.state === 'running' && owner !== undefined && hasEnded(owner);
  return { ...columns, ...stored, ...(isLost && { leaseUntilMs: 0 }), stopRequested: stopRequested === 1 };
}
