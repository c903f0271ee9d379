import type { KeptRun, RecordedRun, RunEvent, RunRating, RunRequest } from './run-events';

const FORMAT = 'ensemble-run';
const VERSION = 1;
const PLAYGROUND = 'playground';
const WORDS_CHARACTERS_MAX = 200;

/** A kept run as it is shared, without its events. */
export function recordedRun(
  { prompt, endpoint, request, rating }: KeptRun,
  evaluations: readonly unknown[],
): Omit<RecordedRun, 'events'> {
  const isOurs = endpoint === PLAYGROUND && request;
  return {
    prompt,
    evaluations,
    ...(rating && { rating }),
    ...(isOurs && { request: request as unknown as RunRequest }),
  };
}

/** A run as a file to be shared: what was asked, everything that happened, and how its answers were judged. */
export function runFileText(run: RecordedRun): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...run })}\n`;
}

/** The run in such a file; a text where it holds none, which says why. */
export function readRunFile(text: string): RecordedRun | string {
  const file = parsed(text);
  if (file?.['format'] !== FORMAT) return 'This file holds no run.';
  if (file['version'] !== VERSION) return 'This file was written by a newer version than this page knows.';
  const { prompt, request, events, evaluations, rating } = file;
  const isWhole = typeof prompt === 'string' && (request === undefined || isRequest(request));
  if (!isWhole || !Array.isArray(events) || !events.every(isEvent)) return 'This file is damaged.';
  const judged = Array.isArray(evaluations) ? evaluations : [];
  return {
    prompt,
    // The conversation that it was in is of the account that has saved it.
    ...(request !== undefined && { request: { ...request, thread: undefined } as unknown as RunRequest }),
    ...(isObject(rating) && { rating: ratingIn(rating) }),
    events: events as readonly RunEvent[],
    evaluations: judged,
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRequest(value: unknown): value is RunRequest {
  return isObject(value) && isList(value['messages']) && isObject(value['ai_ensemble']);
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

/** In their order, and of a form that the page knows: what it does not know it could not show. */
function isEvent(value: unknown, at: number): boolean {
  return (
    isObject(value) && value['seq'] === at && typeof value['type'] === 'string' && typeof value['atMs'] === 'number'
  );
}

function ratingIn({ answer, better, words }: Readonly<Record<string, unknown>>): RunRating {
  return {
    ...((answer === 'good' || answer === 'bad') && { answer }),
    ...(typeof better === 'string' && { better }),
    ...(typeof words === 'string' && {
      words: words.slice(0, WORDS_CHARACTERS_MAX) as NonNullable<RunRating['words']>,
    }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
