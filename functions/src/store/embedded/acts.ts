import type { Act, ActStore } from '../../access/act';
import type { Connection } from './connection';

type ActRow = Omit<Act, 'details'> & { readonly details: string };

const COLUMNS = 'act_id AS actId, at_ms AS atMs, actor, name, user_id AS userId, target, details';

/** The audit trail. */
export function embeddedActs(connection: Connection): ActStore {
  const newest = 'at_ms >= :sinceMs ORDER BY at_ms DESC, rowid DESC LIMIT :max';
  const ofAll = connection.prepare<{ sinceMs: number; max: number }, ActRow>(
    `SELECT ${COLUMNS} FROM acts WHERE ${newest}`,
  );
  const ofUser = connection.prepare<{ userId: string; sinceMs: number; max: number }, ActRow>(
    `SELECT ${COLUMNS} FROM acts WHERE user_id = :userId AND ${newest}`,
  );
  const record = actRecorder(connection);
  return {
    recordAct: (act) => connection.write(() => record(act)),
    listActs: ({ userId, ...range }) =>
      connection.read(() => {
        const rows = userId === undefined ? ofAll.all(range) : ofUser.all({ ...range, userId });
        return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
      }),
  };
}

/** Records an act, where there is one, within the transaction of what was done. */
export function actRecorder(connection: Connection): (act: Act | undefined) => void {
  const insert = connection.prepare<ActRow>(
    'INSERT INTO acts VALUES (:actId, :atMs, :actor, :name, :userId, :target, :details)',
  );
  return (act) => {
    if (act) insert.run({ ...act, details: JSON.stringify(act.details) });
  };
}
