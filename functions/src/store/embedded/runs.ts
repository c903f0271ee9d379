import type { EventBatch, KeptMax, KeptRun, RunPlace, RunProgress, RunRef, RunStore } from '../../runs/run-store';
import type { Connection } from './connection';
import { hasEnded, processName } from './owner';
import { runRemoval } from './run-removal';
import type { Statement } from './statement';

/** What never changes of a run, beside what has a column. */
interface About extends Pick<KeptRun, 'endpoint' | 'prompt' | 'strategy' | 'rounds' | 'models'> {
  /** The process that plays it, where processes have names. */
  readonly owner?: string | undefined;
}

/** A run as it is stored: `about` and `progress` are JSON, read whole and searched by nothing. */
interface RunRow extends RunRef, Pick<KeptRun, 'startedAtMs' | 'expiresAtMs'> {
  readonly run: number;
  readonly stopRequested: 0 | 1;
  readonly about: string;
  readonly progress: string;
}

interface PartRow {
  readonly run: number;
  readonly kind: 'request' | 'events' | 'evaluation';
  /** Of events the first one's `seq`, and the `seq` behind the last. */
  readonly first: number;
  readonly after: number;
  readonly bytes: Uint8Array;
}
type Bytes = Pick<PartRow, 'bytes'>;

const COLUMNS = `run, user_id AS userId, run_id AS runId, started_at_ms AS startedAtMs, expires_at_ms AS expiresAtMs,
  stop_requested AS stopRequested, about, progress`;
const OF_REF = 'WHERE user_id = :userId AND run_id = :runId';
/** Runs hidden in one transaction, and removed after it. */
const HIDDEN_MAX = 20;
const BEHIND_ALL: RunPlace = { startedAtMs: Number.MAX_SAFE_INTEGER, runId: '' };

/** Kept runs: a row for each, and one for its request, every batch of its events and every evaluation. */
export function embeddedRuns(connection: Connection): RunStore {
  const find = connection.prepare<RunRef, RunRow>(`SELECT ${COLUMNS} FROM runs ${OF_REF}`);
  const insert = connection.prepare<Omit<RunRow, 'run' | 'stopRequested'>, Pick<RunRow, 'run'>>(`
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
  const hideSome = hide<{ userId: string; max: number }>(
    'run IN (SELECT run FROM runs WHERE user_id = :userId LIMIT :max)',
  );
  const hideOldest = hide<KeptMax & { userId: string; run: number }>(`
    run <> :run AND run IN (
      SELECT run FROM (
        SELECT run, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM runs WHERE user_id = :userId
          WINDOW newest AS (ORDER BY run = :run DESC, started_at_ms DESC, run_id DESC)
      ) WHERE place > :runs OR total > :bytes
    ) AND NOT (progress ->> 'state' = 'running' AND progress ->> 'leaseUntilMs' > :nowMs)
  `);
  const parts = partsOf(connection);

  return {
    createRun: async (run, request, max) => {
      const surplus = await connection.write(() => {
        const created = insert.get(rowOf(run));
        if (!created) return [];
        parts.put.run({ ...created, kind: 'request', first: 0, after: 0, bytes: request });
        return hideOldest.all({ ...max, ...created, userId: run.userId });
      });
      await remove(surplus);
    },

    writeRun: ({ userId, runId }, progress, batch) =>
      connection.write(() => {
        const row = advance.get({ userId, runId, progress: JSON.stringify(progress) });
        if (!row) return 'gone';
        const { run, stopRequested } = row;
        if (batch) parts.put.run({ run, kind: 'events', first: batch.from, after: batch.to, bytes: batch.bytes });
        return stopRequested ? 'stop' : 'go on';
      }),

    requestStop: (ref) => connection.write(() => void stop.run(ref)),

    findRun: (ref) => connection.read(() => runOf(find.get(ref))),

    readRequest: (ref) => connection.read(() => parts.one.get({ ...ref, kind: 'request', first: 0 })?.bytes),

    readEvents: (ref, from) => connection.read(() => parts.events.get({ ...ref, from })),

    listRuns: (userId, { before = BEHIND_ALL, max }) =>
      connection.read(() => list.all({ ...before, userId, max }).flatMap((row) => runOf(row) ?? [])),

    deleteRun: async (ref) => (await remove(await connection.write(() => hideOne.all(ref)))) > 0,

    deleteRuns: async (userId) => remove(await connection.write(() => hideSome.all({ userId, max: HIDDEN_MAX }))),

    addEvaluation: async (ref, bytes, { evaluations, ...max }) => {
      const surplus = await connection.write(() => {
        const row = find.get(ref);
        const first = parts.evaluations.get(ref)?.count ?? 0;
        if (!row || first >= evaluations) return undefined;
        parts.put.run({ run: row.run, kind: 'evaluation', first, after: 0, bytes });
        return hideOldest.all({ ...max, run: row.run, userId: ref.userId });
      });
      await remove(surplus ?? []);
      return surplus !== undefined;
    },

    countEvaluations: (ref) => connection.read(() => parts.evaluations.get(ref)?.count ?? 0),

    readEvaluation: (ref, first) => connection.read(() => parts.one.get({ ...ref, kind: 'evaluation', first })?.bytes),
  };
}

interface Parts {
  readonly put: Statement<PartRow, never>;
  readonly one: Statement<RunRef & Pick<PartRow, 'kind' | 'first'>, Bytes>;
  readonly events: Statement<RunRef & { from: number }, EventBatch>;
  readonly evaluations: Statement<RunRef, { readonly count: number }>;
}

function partsOf(connection: Connection): Parts {
  const joined = `FROM run_parts JOIN runs USING (run) ${OF_REF}`;
  return {
    // One that is written again counts once: what becomes an update is no insert for the trigger.
    put: connection.prepare(`
      INSERT INTO run_parts VALUES (:run, :kind, :first, :after, :bytes)
        ON CONFLICT DO UPDATE SET after = excluded.after, bytes = excluded.bytes
    `),
    one: connection.prepare(`SELECT run_parts.bytes ${joined} AND kind = :kind AND first = :first`),
    events: connection.prepare(`
      SELECT first AS "from", after AS "to", run_parts.bytes ${joined} AND kind = 'events' AND after > :from
        ORDER BY first LIMIT 1
    `),
    evaluations: connection.prepare(`SELECT count(*) AS count ${joined} AND kind = 'evaluation'`),
  };
}

function rowOf({ userId, runId, startedAtMs, expiresAtMs, stopRequested: _, ...run }: KeptRun) {
  const { endpoint, prompt, strategy, rounds, models, ...progress } = run;
  const about: About = { endpoint, prompt, strategy, rounds, models, owner: processName(process.pid) };
  const json = { about: JSON.stringify(about), progress: JSON.stringify(progress satisfies RunProgress) };
  return { userId, runId, startedAtMs, expiresAtMs, ...json };
}

function runOf(row: RunRow | undefined): KeptRun | undefined {
  if (!row) return undefined;
  const { run: _, about, progress, stopRequested, ...columns } = row;
  const { owner, ...stored }: About & RunProgress = { ...JSON.parse(about), ...JSON.parse(progress) };
  // Nobody needs to wait for the end of a lease whose holder is known to be dead.
  const isLost = stored.state === 'running' && owner !== undefined && hasEnded(owner);
  return { ...columns, ...stored, ...(isLost && { leaseUntilMs: 0 }), stopRequested: stopRequested === 1 };
}
