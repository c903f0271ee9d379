import { describeError, stackOf } from './describe-error';
import { redact, visibleText } from './foreign-text';
import { formatUsd } from './usd';

export interface LogEvent {
  readonly message: string;
  readonly fields: object;
  readonly cause: unknown;
}

/** A line of the log for people: free text cannot begin one, look like several words, or order the terminal. */
export function textLine(severity: string, { message, fields, cause }: LogEvent, timeMs: number): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined);
  const words = WORDS[message]?.(Object.fromEntries(shown)) ?? [message, ...shown.map(pair)];
  const rank = severity === 'INFO' ? [] : [severity];
  const reason = cause === undefined ? [] : [`(${visibleText(describeError(cause))})`];
  const head = [new Date(timeMs).toTimeString().slice(0, 8), ...rank, ...words, ...reason].join(' ');
  const frames = severity === 'ERROR' ? (stackOf(cause) ?? '').split('\n').slice(1) : [];
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
  const text = typeof value === 'string' ? redact(value) : (JSON.stringify(value) ?? '');
  return visibleText(typeof value !== 'string' || /^[^\s"\\]+$/.test(text) ? text : JSON.stringify(text));
}
