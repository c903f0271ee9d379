import { describeError, stackOf } from './describe-error';
import { redact } from './redact';

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

/** The deployed service, as Google Cloud knows it. */
export interface CloudService {
  /** The project in whose Cloud Trace the lines are shown with their trace. */
  readonly project: string;
  /** What Error Reporting tells errors apart by. */
  readonly service: string;
  readonly version: string;
}

/** By this Error Reporting knows an entry that is for it. */
const ERROR_EVENT = 'type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent';

/** Builds the log. `write` takes one line without its newline; `cloud` is there on Google Cloud. */
export function createLog(level: LogLevel, write: (line: string) => void = console.log, cloud?: CloudService): Log {
  const lineOf =
    (severity: Severity): WriteLine =>
    (message, fields, cause) => {
      if (RANK[severity] > RANK[level]) return;
      const traceId = 'traceId' in fields ? fields.traceId : undefined;
      const line = {
        severity: SEVERITY[severity],
        message,
        ...fields,
        ...(cause !== undefined && { cause: describeError(cause) }),
        ...(severity === 'error' && errorEvent(cause, cloud)),
        ...(cloud && traceId ? { 'logging.googleapis.com/trace': `projects/${cloud.project}/traces/${traceId}` } : {}),
      };
      write(JSON.stringify(line, withoutKeys));
    };
  return { error: lineOf('error'), warn: lineOf('warn'), info: lineOf('info'), debug: lineOf('debug') };
}

/** What Error Reporting groups errors by, where code of ours is to blame. */
function errorEvent(cause: unknown, cloud: CloudService | undefined): object {
  const stack = stackOf(cause);
  if (stack === undefined) return {};
  const { service, version } = cloud ?? {};
  return { stack_trace: stack, ...(cloud && { '@type': ERROR_EVENT, serviceContext: { service, version } }) };
}

/** Paths and model ids are free text, into which people paste keys. */
function withoutKeys(_: string, value: unknown): unknown {
  return typeof value === 'string' ? redact(value) : value;
}
