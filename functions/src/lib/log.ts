import { describeError, stackOf } from './describe-error';
import { redact, visibleText } from './foreign-text';
import { type LogEvent, textLine } from './log-text';

/** Amount that is written: `error` least, `debug` most. `silent` is for tests. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Writes one line: a fixed message, facts beside it (never a prompt, an answer or a key) and the error behind it. */
export type WriteLine = (message: string, fields: object, cause?: unknown) => void;

export type LogFormat = 'json' | 'text';

/** The service's log, a line for each event on stdout. A field `traceId` joins the line to its trace. */
export type Log = Readonly<Record<Severity, WriteLine>>;

type Severity = Exclude<LogLevel, 'silent'>;

const RANK: Readonly<Record<LogLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'ERROR', warn: 'WARNING', info: 'INFO', debug: 'DEBUG' };

export interface CloudService {
  /** The project in whose Cloud Trace the lines are shown with their trace. */
  readonly project: string;
  /** Name by which Error Reporting tells errors apart. */
  readonly service: string;
  readonly version: string;
}

const ERROR_EVENT = 'type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent';

/** Style of lines: `json` by default; `cloud` is set on Google Cloud. */
export interface LogStyle {
  readonly format?: LogFormat;
  readonly cloud?: CloudService | undefined;
  /** Adds the time to lines of JSON. */
  readonly nowMs?: () => number;
}

/** Builds the log. `write` takes one line without its newline. */
export function createLog(level: LogLevel, write = (line: string) => console.log(line), style: LogStyle = {}): Log {
  const render = style.format === 'text' ? textOf(level, style) : jsonOf(style);
  const lineOf =
    (severity: Severity): WriteLine =>
    (message, fields, cause) => {
      if (RANK[severity] > RANK[level]) return;
      const line = render(severity, { message, fields, cause });
      if (line !== undefined) write(line);
    };
  return { error: lineOf('error'), warn: lineOf('warn'), info: lineOf('info'), debug: lineOf('debug') };
}

type Render = (severity: Severity, event: LogEvent) => string | undefined;

function jsonOf({ cloud, nowMs }: LogStyle): Render {
  return (severity, { message, fields, cause }) => {
    const traceId = 'traceId' in fields ? fields.traceId : undefined;
    const line = {
      ...(nowMs && { time: new Date(nowMs()).toISOString() }),
      severity: SEVERITY[severity],
      message,
      ...fields,
      ...(cause !== undefined && { cause: describeError(cause) }),
      ...(severity === 'error' && errorEvent(cause, cloud)),
      ...(cloud && traceId ? { 'logging.googleapis.com/trace': `projects/${cloud.project}/traces/${traceId}` } : {}),
    };
    return visibleText(JSON.stringify(line, withoutKeys));
  };
}

function textOf(level: LogLevel, { nowMs = Date.now }: LogStyle): Render {
  return (severity, event) => {
    // Told of in the line of their request.
    const isDetail = severity === 'info' && event.message === 'model call';
    return isDetail && level !== 'debug' ? undefined : textLine(SEVERITY[severity], event, nowMs());
  };
}

/** Fields by which Error Reporting groups errors of our own code. */
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
