/** How much is written: `error` least, `debug` most. `silent` is for tests. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** What one request amounted to; no prompt, no answer, no key. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly userId?: string;
}

/** Which call failed, and how. */
export interface FailedCall {
  readonly requestId: string;
  readonly modelId: string;
  readonly purpose: string;
  readonly fault: string;
}

/** Every line the service writes, each a named function; one JSON object a line on stdout. */
export interface Log {
  request(line: RequestLine): void;
  /** A model call failed, also where the request went on without it. */
  callFailed(call: FailedCall, cause: unknown): void;
  requestFailed(requestId: string, error: unknown): void;
  checkpointFailed(requestId: string, error: unknown): void;
  settleFailed(requestId: string, error: unknown): void;
  swept(records: number): void;
  sweepFailed(error: unknown): void;
  /** How many months were checked against the ledger, and how many lines of them were not as it says. */
  reconciled(months: number, differences: number): void;
  monthDiffers(difference: object): void;
  reconcileFailed(error: unknown): void;
  unpricedModel(requestId: string, modelId: string): void;
  /** A saved router key does not open: its key `kid` has left the ring, or the row is not what was saved. */
  routerKeyUnreadable(userId: string, kid: string): void;
  /** A router key that was opened under an old key could not be sealed anew; it is tried again on its next use. */
  resealFailed(userId: string, error: unknown): void;
  routerModelsFailed(error: unknown): void;
  /** A run that was not let in could not give its part of the token grant back; it ends by itself. */
  leaseNotReturned(requestId: string, error: unknown): void;
}

const RANK: Readonly<Record<LogLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** Builds the log. `write` takes one line without its newline. */
export function createLog(level: LogLevel, write: (line: string) => void = console.log): Log {
  const line = (severity: Exclude<LogLevel, 'silent'>, message: string, fields: object): void => {
    if (RANK[severity] > RANK[level]) return;
    write(JSON.stringify({ severity: severity.toUpperCase(), message, ...fields }));
  };
  return {
    request: (fields) => line('info', 'request', fields),
    callFailed: (call, error) => line('warn', 'model call failed', { ...call, cause: describe(error) }),
    requestFailed: (requestId, error) => line('error', 'request failed', { requestId, cause: describe(error) }),
    checkpointFailed: (requestId, error) => line('warn', 'checkpoint failed', { requestId, cause: describe(error) }),
    settleFailed: (requestId, error) => line('error', 'settle failed', { requestId, cause: describe(error) }),
    swept: (records) => line('info', 'swept', { records }),
    sweepFailed: (error) => line('error', 'sweep failed', { cause: describe(error) }),
    reconciled: (months, differences) => line('info', 'reconciled', { months, differences }),
    monthDiffers: (difference) => line('error', 'month differs from its ledger', difference),
    reconcileFailed: (error) => line('error', 'reconcile failed', { cause: describe(error) }),
    unpricedModel: (requestId, modelId) => line('warn', 'no price known', { requestId, modelId }),
    routerKeyUnreadable: (userId, kid) => line('error', 'router key cannot be opened', { userId, kid }),
    resealFailed: (userId, error) => line('warn', 'reseal failed', { userId, cause: describe(error) }),
    routerModelsFailed: (error) => line('warn', 'no list of router models', { cause: describe(error) }),
    leaseNotReturned: (requestId, error) => line('warn', 'lease not returned', { requestId, cause: describe(error) }),
  };
}

/** Anything shaped like a key is cut out: SDK and header errors quote what they choke on. */
function redact(text: string): string {
  return text
    .replace(/\b(?:sk|pk|key|AIza)[-_A-Za-z0-9]{8,}/g, '[redacted]')
    .replace(/(bearer\s+)\S+/gi, '$1[redacted]');
}

/**
 * The chain of an error's names and messages, redacted. What lies behind a failed model call may quote the upstream's
 * reply, and with it a prompt: of those errors only name, status and code are told.
 */
function describe(error: unknown): string {
  const parts: string[] = [];
  let upstream = false;
  for (let at: unknown = error; at !== undefined && parts.length < 5; at = at instanceof Error ? at.cause : undefined) {
    parts.push(upstream ? outline(at) : describeOne(at));
    upstream ||= at instanceof Error && at.name === 'ModelFault';
  }
  return redact(parts.join(' <- '));
}

function describeOne(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.slice(0, 300)}` : typeof error;
}

function outline(error: unknown): string {
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  const name = error instanceof Error ? error.constructor.name : undefined;
  return [name, ...[status, code].filter(isPlainCode)].filter((part) => part !== undefined).join(' ');
}

/** Upstreams choose these fields too, and one may put the key it was sent there: only what no key looks like is told. */
function isPlainCode(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.length <= 40 && /^(?:[a-z]+(?:_[a-z]+)*|[A-Z]+(?:_[A-Z]+)*)$/.test(value);
}
