import { formatUsd } from './usd';
import { visibleText } from './visible-text';

/** Contents of one line of the log. */
export interface LogRecord {
  readonly timeMs: number;
  readonly severity: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly cause?: string | undefined;
  readonly stack?: string | undefined;
}

/** Told of in the line of their request, and one by one at `debug` only. */
export const DETAILS: ReadonlySet<string> = new Set(['model call']);

/**
 * A line of the log as people read it, with the lines of a stack indented behind it. Paths, ids and messages are free
 * text: none of them can begin a line, look like more than one word, or give the terminal an order.
 */
export function logLine(record: LogRecord): string {
  const { timeMs, severity, message, fields, cause, stack = '' } = record;
  const words = WORDS[message]?.(fields) ?? [message, ...Object.entries(fields).map(pair)];
  const rank = severity === 'INFO' ? [] : [severity];
  const reason = cause === undefined ? [] : [`(${visibleText(cause)})`];
  const head = [new Date(timeMs).toTimeString().slice(0, 8), ...rank, ...words, ...reason].join(' ');
  const frames = stack.split('\n').slice(1);
  return [head, ...frames.map((frame) => `    ${visibleText(frame.trim())}`)].join('\n');
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
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return visibleText(typeof value !== 'string' || /^[^\s"\\]+$/.test(text) ? text : JSON.stringify(text));
}
