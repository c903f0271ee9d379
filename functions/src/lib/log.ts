import { describeError, stackOf } from './describe-error';
import { redact, visibleText } from './foreign-text';
import { formatUsd } from './usd';

/** Amount that is written: `error` least, `debug` most. `silent` is for tests. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Writes one line: a fixed message, facts beside it (never a prompt, an answer or a key) and the error behind it. */
export type WriteLine = (message: string, fields: object, cause?: unknown) => void;

/** Lines for programs, a JSON object each, or for people. */
export type LogFormat = 'json' | 'text';

/** The service's log, a line for each event on stdout. A field `traceId` joins the line to its trace. */
export type Log = Readonly<Record<Severity, WriteLine>>;

type Severity = Exclude<LogLevel, 'silent'>;

const RANK: Readonly<Record<LogLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** Cloud Logging's words. */
const SEVERITY: Readonly<Record<Severity, string>> = { error: 'ERROR', warn: 'WARNING', info: 'INFO', debug: 'DEBUG' };

/** The deployed service, as Google Cloud knows it. */
export interface CloudService {
  /** The project in whose Cloud Trace the lines are shown with their trace. */
  readonly project: string;
  /** Name by which Error Reporting tells errors apart. */
  readonly service: string;
  readonly version: string;
}

/** Type of an entry for Error Reporting. */
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

interface Event {
  readonly message: string;
  readonly fields: object;
  readonly cause: unknown;
}

type Render = (severity: Severity, event: Event) => string | undefined;

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

/** Lines for people: free text cannot begin one, look like several words, or order the terminal. */
function textOf(level: LogLevel, { nowMs = Date.now }: LogStyle): Render {
  return (severity, { message, fields, cause }) => {
    // Told of in the line of their request.
    if (severity === 'info' && level !== 'debug' && message === 'model call') return undefined;
    const shown = Object.entries(fields).filter(([, value]) => value !== undefined);
    const words = WORDS[message]?.(Object.fromEntries(shown)) ?? [message, ...shown.map(pair)];
    const rank = severity === 'info' ? [] : [SEVERITY[severity]];
    const reason = cause === undefined ? [] : [`(${visibleText(describeError(cause))})`];
    const head = [new Date(nowMs()).toTimeString().slice(0, 8), ...rank, ...words, ...reason].join(' ');
    const frames = severity === 'error' ? (stackOf(cause) ?? '').split('\n').slice(1) : [];
    return [head, ...frames.map((frame) => `    ${visibleText(frame.trim())}`)].join('\n');
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

type Fields = Readonly<Record<string, unknown>>;

/** Wording of the two most frequent lines; undefined where their fields are missing. */
const WORDS: Readonly<Record<string, (fields: Fields) => string[] | undefined>> = {
  request: (fields) => (fields['method'] === undefined ? undefined : requestWords(fields)),
  'model call': callWords,
};

/** `model call gpt-5 draft, attempt 1: timeout, 812 ms, requestId=…` */
function callWords(fields: Fields): string[] {
  const { durationMs, requestId } = fields;
  const [model, purpose, attempt] = ['gen_ai.request.model', 'ensemble.purpose', 'ensemble.attempt'].map((name) =>
    word(fields[name]),
  );
  const ending = `${word(fields['error.type'] ?? 'done')}, ${Math.round(Number(durationMs))} ms`;
  return [`model call ${model} ${purpose}, attempt ${attempt}: ${ending}, ${pair(['requestId', requestId])}`];
}

/** `POST /v1/chat/completions 200 812 ms, 7 model calls, $0.0042`; of a refused one the id by which it is reported. */
function requestWords(fields: Fields): string[] {
  const { method, path, status, durationMs, modelCalls = 0, costNanoUsd, requestId } = fields;
  const calls = Number(modelCalls);
  const facts = [
    `${word(method)} ${word(path)} ${word(status)} ${Math.round(Number(durationMs))} ms`,
    ...(calls > 0 ? [`${calls} model call${calls === 1 ? '' : 's'}`] : []),
    ...(typeof costNanoUsd === 'number' ? [formatUsd(costNanoUsd)] : []),
    ...(Number(status) >= 400 ? [pair(['requestId', requestId])] : []),
  ];
  return [facts.join(', ')];
}

function pair([name, value]: readonly [string, unknown]): string {
  return `${name}=${word(value)}`;
}

/** A value as one word: what could be taken for several is in quotes. */
function word(value: unknown): string {
  const text = typeof value === 'string' ? redact(value) : (JSON.stringify(value) ?? '');
  return visibleText(typeof value !== 'string' || /^[^\s"\\]+$/.test(text) ? text : JSON.stringify(text));
}
