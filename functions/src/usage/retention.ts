/** How long closed ledger records are kept, from the start of their request. Open ones are kept until they are closed. */
export const LEDGER_RETENTION_MS = 400 * 24 * 60 * 60 * 1000;

/** A key's last use is written at most this often, to spare a write per request. */
export const LAST_USED_STEP_MS = 5 * 60 * 1000;
