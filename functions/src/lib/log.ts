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
  readonly traceId?: string;
}

/** One attempt at a model: OpenTelemetry's GenAI names, counts and words of ours; no text of anybody's. */
export interface ModelCallLine {
  readonly requestId: string;
  readonly traceId?: string;
  readonly durationMs: number;
  readonly 'error.type'?: string | number | string[];
  readonly [attribute: string]: string | number | string[] | undefined;
}

/** Every line the service writes, each a named function; one JSON object a line on stdout. */
export interface Log {
  request(line: RequestLine): void;
  /** An attempt at a model is over; a failed one is a warning, also where the request went on without it. */
  modelCall(line: ModelCallLine, cause?: unknown): void;
  /** A judge answered with something that holds no scores. */
  verdictUnusable(requestId: string, modelId: string): void;
  /** A model's calls keep failing: for a while it is not asked. */
  modelUnavailable(modelId: string): void;
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

/** Cloud Logging's words. */
const SEVERITY: Readonly<Record<Exclude<LogLevel, 'silent'>, string>> = {
  error: 'ERROR',
  warn: 'WARNING',
  info: 'INFO',
  debug: 'DEBUG',
};

/**
 * Builds the log. `write` takes one line without its newline; `project` is the Google Cloud project whose Cloud Trace
 * the lines are to be shown with.
 */
export function createLog(level: LogLevel, write: (line: string) => void = console.log, project?: string): Log {
  const line = (severity: Exclude<LogLevel, 'silent'>, message: string, fields: object): void => {
    if (RANK[severity] > RANK[level]) return;
    const traceId = 'traceId' in fields ? fields.traceId : undefined;
    const trace =
      project === undefined || traceId === undefined
        ? {}
        : { 'logging.googleapis.com/trace': `projects/${project}/traces/${traceId}` };
    write(JSON.stringify({ severity: SEVERITY[severity], message, ...fields, ...trace }, withoutKeys));
  };
  return {
    request: (fields) => line('info', 'request', fields),
    modelCall: (fields, cause) => {
      const failed = fields['error.type'] !== undefined;
      line(failed ? 'warn' : 'info', 'model call', failed ? { ...fields, cause: describe(cause) } : fields);
    },
    verdictUnusable: (requestId, modelId) => line('warn', 'verdict unusable', { requestId, modelId }),
    modelUnavailable: (modelId) => line('warn', 'model unavailable', { modelId }),
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

/** Paths and model ids are free text, into which people paste keys. */
function withoutKeys(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\b(?:sk[-_]|pk[-_]|AIza)[-_A-Za-z0-9]{16,}/g, '[redacted]') : value;
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
