/** Version of the tables of this program, as SQLite's `user_version`. */
export const VERSION = 15;

/** From this version on all but kept runs are documents. */
export const DOCUMENTS_SINCE = 14;

/**
 * Documents (`documents.ts`), with an index for each search of the repositories. Of the ledger, open records and closed
 * ones are in one index each: every index is a page or two of every request's commits.
 */
export const DOCUMENTS = `
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

/** Since version 15 kept runs are documents too. */
export const RUNS = `
  ALTER TABLE documents ADD COLUMN parent TEXT;
  ALTER TABLE documents ADD COLUMN startedAt INTEGER;
  ALTER TABLE documents ADD COLUMN "to" INTEGER;
  CREATE INDEX runs_of_user ON documents (parent, startedAt, path) WHERE kind = 'runs';
  CREATE INDEX parts_of_run ON documents (parent, "to", path) WHERE kind = 'runParts';
`;
