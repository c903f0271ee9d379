/** The tables themselves refuse a sum that a JavaScript number could no longer hold exactly. */
const SUMS = ['requests', 'prompt_tokens', 'completion_tokens', 'cost_nano_usd']
  .map((sum) => `${sum} INTEGER NOT NULL CHECK (${sum} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER})`)
  .join(', ');

/** Tables with long rows keep their rowid: SQLite stores those better than a clustered key does. */
const VERSION_1 = `
  CREATE TABLE api_keys (
    key_id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, pepper_version TEXT NOT NULL, user_id TEXT NOT NULL,
    name TEXT NOT NULL, prefix TEXT NOT NULL, last4 TEXT NOT NULL, status TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL, expires_at_ms INTEGER, last_used_at_ms INTEGER, replaced_by TEXT
  ) STRICT;
  CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at_ms);

  CREATE TABLE subscriptions (
    user_id TEXT PRIMARY KEY, tier TEXT NOT NULL, status TEXT NOT NULL, source_updated_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE rate_logs (
    user_id TEXT NOT NULL, plan TEXT NOT NULL, log TEXT NOT NULL, PRIMARY KEY (user_id, plan)
  ) STRICT;

  CREATE TABLE ledger (
    request_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, key_id TEXT NOT NULL, key_name TEXT NOT NULL,
    endpoint TEXT NOT NULL, month TEXT NOT NULL, started_at_ms INTEGER NOT NULL, lease_until_ms INTEGER NOT NULL,
    state TEXT NOT NULL, settled_at_ms INTEGER, calls TEXT NOT NULL, owner TEXT NOT NULL
  ) STRICT;
  CREATE INDEX ledger_open_by_lease ON ledger (lease_until_ms) WHERE state = 'open';
  CREATE INDEX ledger_closed_by_start ON ledger (started_at_ms) WHERE state <> 'open';

  CREATE TABLE months (
    user_id TEXT NOT NULL, month TEXT NOT NULL, ${SUMS}, PRIMARY KEY (user_id, month)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE model_lines (
    user_id TEXT NOT NULL, month TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, ${SUMS},
    PRIMARY KEY (user_id, month, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE key_lines (
    user_id TEXT NOT NULL, month TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, ${SUMS},
    PRIMARY KEY (user_id, month, id)
  ) STRICT, WITHOUT ROWID;
`;

/** Bring your own key: the router key and models of each user, the monthly grant and its leases. */
const VERSION_2 = `
  CREATE TABLE router_keys (
    user_id TEXT PRIMARY KEY, enc TEXT NOT NULL, last4 TEXT NOT NULL, created_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE router_models (
    user_id TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT NULL, context_tokens INTEGER, vision INTEGER NOT NULL,
    tools INTEGER NOT NULL, added_at_ms INTEGER NOT NULL, PRIMARY KEY (user_id, slug)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE grants (
    user_id TEXT NOT NULL, month TEXT NOT NULL, used_tokens INTEGER NOT NULL, PRIMARY KEY (user_id, month)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE grant_leases (
    user_id TEXT NOT NULL, month TEXT NOT NULL, request_id TEXT NOT NULL, tokens INTEGER NOT NULL,
    lease_until_ms INTEGER NOT NULL, PRIMARY KEY (user_id, month, request_id)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE ledger ADD COLUMN on_grant INTEGER NOT NULL DEFAULT 0;
`;

/** Limits of a key, as JSON: they are read whole and searched by nothing. */
const VERSION_3 = `
  ALTER TABLE api_keys ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';
`;

/** Idempotency keys, each with the sealed reply to the request that was made under it. */
const VERSION_4 = `
  CREATE TABLE idempotency (
    id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, request_id TEXT NOT NULL, lease_until_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL, reply BLOB
  ) STRICT;
  CREATE INDEX idempotency_by_expiry ON idempotency (expires_at_ms);
`;

/** Results of the last check of each month's ledger. */
const VERSION_5 = `
  CREATE TABLE audits (
    user_id TEXT NOT NULL, month TEXT NOT NULL, until_ms INTEGER NOT NULL, sums TEXT NOT NULL,
    PRIMARY KEY (user_id, month)
  ) STRICT;
  CREATE TABLE audited_until (id INTEGER PRIMARY KEY CHECK (id = 1), until_ms INTEGER NOT NULL) STRICT;
`;

/** The tag keys of all peppers that keys were ever made under. */
const VERSION_6 = `
  CREATE TABLE tag_keys (pepper_version TEXT PRIMARY KEY, tag_key TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The audit trail: rows are added and, when they are old, removed, but never changed. */
const VERSION_7 = `
  CREATE TABLE acts (
    act_id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, actor TEXT NOT NULL, name TEXT NOT NULL, user_id TEXT NOT NULL,
    target TEXT, details TEXT NOT NULL
  ) STRICT;
  CREATE INDEX acts_by_time ON acts (at_ms);
  CREATE INDEX acts_by_user ON acts (user_id, at_ms);
  CREATE TRIGGER acts_unchanged BEFORE UPDATE ON acts BEGIN SELECT RAISE(ABORT, 'acts are never changed'); END;
`;

/** Monthly budgets, and what open records set aside of them. */
const VERSION_8 = `
  ALTER TABLE subscriptions ADD COLUMN budget_nano_usd INTEGER;
  ALTER TABLE ledger ADD COLUMN estimate_nano_usd INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX ledger_open_by_user ON ledger (user_id) WHERE state = 'open';
  CREATE TABLE server_budget (id INTEGER PRIMARY KEY CHECK (id = 1), budget_nano_usd INTEGER NOT NULL) STRICT;
`;

/** Source of a subscription, and its end. */
const VERSION_9 = `
  ALTER TABLE subscriptions ADD COLUMN source TEXT;
  ALTER TABLE subscriptions ADD COLUMN renews_at_ms INTEGER;
  ALTER TABLE subscriptions ADD COLUMN ends_at_ms INTEGER;
  ALTER TABLE subscriptions ADD COLUMN trial_ends_at_ms INTEGER;
`;

/** Kept runs, what lists show of them as JSON, and their parts: requests, events and evaluations, packed. */
const VERSION_10 = `
  CREATE TABLE runs (
    run INTEGER PRIMARY KEY, user_id TEXT NOT NULL, run_id TEXT NOT NULL, started_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL, stop_requested INTEGER NOT NULL, about TEXT NOT NULL, progress TEXT NOT NULL,
    UNIQUE (user_id, run_id)
  ) STRICT;
  CREATE INDEX runs_by_start ON runs (user_id, started_at_ms, run_id);
  CREATE INDEX runs_by_expiry ON runs (expires_at_ms);
  CREATE TABLE run_parts (
    run INTEGER NOT NULL, kind TEXT NOT NULL, first INTEGER NOT NULL, after INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (run, kind, first)
  ) STRICT;
  CREATE TRIGGER runs_whole AFTER DELETE ON runs BEGIN DELETE FROM run_parts WHERE run = old.run; END;
`;

/** Indexes for reading a month of all users, or all that was closed in a time. */
const VERSION_11 = `
  CREATE INDEX ledger_closed_by_settlement ON ledger (settled_at_ms, request_id) WHERE state <> 'open';
  CREATE INDEX months_by_month ON months (month);
`;

/**
 * Each index of the ledger is a page or two of every request's commits. Open records are few, so that the sweep finds the
 * expired among them without one of its own; what is old is told as well by when it was closed.
 */
const VERSION_12 = `
  DROP INDEX ledger_open_by_lease;
  DROP INDEX ledger_closed_by_start;
`;

/** The packed bytes of each run, for the sum over a user's runs; `user_id` is empty where a run is to be removed. */
const VERSION_13 = `
  ALTER TABLE runs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE runs SET bytes = (SELECT coalesce(sum(length(bytes)), 0) FROM run_parts WHERE run_parts.run = runs.run);
  DROP INDEX runs_by_start;
  CREATE INDEX runs_by_start ON runs (user_id, started_at_ms, run_id, bytes);
  CREATE TRIGGER runs_counted AFTER INSERT ON run_parts
    BEGIN UPDATE runs SET bytes = bytes + length(new.bytes) WHERE run = new.run; END;
`;

/**
 * All but kept runs as documents (`documents.ts`), with an index for each search of the repositories. Of the ledger, open
 * records and closed ones are in one index each: every index is a page or two of every request's commits.
 */
const VERSION_14 = `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, fields TEXT NOT NULL, bytes BLOB,
    expireAt INTEGER, uid TEXT, state TEXT, month TEXT, at INTEGER, settledAt INTEGER
  ) STRICT;
  CREATE INDEX documents_by_expiry ON documents (expireAt) WHERE expireAt IS NOT NULL;
  CREATE INDEX subscriptions_by_user ON documents (path) WHERE kind = 'subscriptions';
  CREATE INDEX tag_keys_by_pepper ON documents (path) WHERE kind = 'tagKeys';
  CREATE INDEX keys_of_user ON documents (uid, path) WHERE kind = 'apiKeys';
  CREATE INDEX acts_by_moment ON documents (at) WHERE kind = 'acts';
  CREATE INDEX acts_of_user ON documents (uid, at) WHERE kind = 'acts';
  CREATE INDEX usage_by_month ON documents (month) WHERE kind = 'usage';
  CREATE INDEX ledger_open ON documents (uid) WHERE kind = 'usageLedger' AND state = 'open';
  CREATE INDEX ledger_closed ON documents (settledAt, path) WHERE kind = 'usageLedger' AND settledAt IS NOT NULL;
`;

/** The scripts for a new database. */
export const NEW_DATABASE: readonly string[] = [VERSION_10, VERSION_13, VERSION_14];

/** From this version on all but kept runs are documents. */
export const DOCUMENTS_SINCE = 14;

/** Script `n` leads from `user_version` n to n + 1. Append only: databases in use have run the earlier ones. */
export const MIGRATIONS: readonly string[] = [
  VERSION_1,
  VERSION_2,
  VERSION_3,
  VERSION_4,
  VERSION_5,
  VERSION_6,
  VERSION_7,
  VERSION_8,
  VERSION_9,
  VERSION_10,
  VERSION_11,
  VERSION_12,
  VERSION_13,
  VERSION_14,
];
