/** How much is written: `error` least, `debug` most. `silent` is for tests. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Writes one line: a fixed message, facts beside it (never a prompt, an answer or a key) and the error behind it. */
export type WriteLine = (message: string, fields: object, cause?: unknown) => void;

/** The service's log, one JSON object a line on stdout. A field `traceId` joins the line to its trace. */
export type Log = Readonly<Record<Severity, WriteLine>>;

type Severity = Exclude<LogLevel, 'silent'>;

const RANK: Readonly<Record<LogLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** Cloud Logging's words. */
const SEVERITY: Readonly<Record<Severity, string>> = { error: 'ERROR', warn: 'WARNING', info: 'INFO', debug: 'DEBUG' };

/**
 * Builds the log. `write` takes one line without its newline; `project` is the Google Cloud project whose Cloud Trace
 * the lines are to be shown with.
 */
export function createLog(level: LogLevel, write: (line: string) => void = console.log, project?: string): Log {
  const lineOf =
    (severity: Severity): WriteLine =>
    (message, fields, cause) => {
      if (RANK[severity] > RANK[level]) return;
      const traceId = 'traceId' in fields ? fields.traceId : undefined;
      const line = {
        severity: SEVERITY[severity],
        message,
        ...fields,
        ...(cause !== undefined && { cause: describe(cause) }),
        ...(project && traceId ? { 'logging.googleapis.com/trace': `projects/${project}/traces/${traceId}` } : {}),
      };
      write(JSON.stringify(line, withoutKeys));
    };
  return { error: lineOf('error'), warn: lineOf('warn'), info: lineOf('info'), debug: lineOf('debug') };
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
