import type { KeptRun, RecordedRun, RunEvent, RunRequest } from './run-events';

const FORMAT = 'ensemble-run';
const VERSION = 1;
const PLAYGROUND = 'playground';

/** A kept run as it is shared, without its events. */
export function recordedRun(
  { prompt, endpoint, request }: KeptRun,
  evaluations: readonly unknown[],
): Omit<RecordedRun, 'events'> {
  const isOurs = endpoint === PLAYGROUND && request;
  return { prompt, evaluations, ...(isOurs && { request: request as unknown as RunRequest }) };
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
  const { prompt, request, events, evaluations } = file;
  const isWhole = typeof prompt === 'string' && (request === undefined || isRequest(request));
  if (!isWhole || !Array.isArray(events) || !events.every(isEvent)) return 'This file is damaged.';
  const judged = Array.isArray(evaluations) ? evaluations : [];
  return {
    prompt,
    ...(request !== undefined && { request }),
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
  return isObject(value) && Array.isArray(value['messages']) && isObject(value['ai_ensemble']);
}

/** In their order, and of a form that the page knows: what it does not know it could not show. */
function isEvent(value: unknown, at: number): boolean {
  return (
    isObject(value) && value['seq'] === at && typeof value['type'] === 'string' && typeof value['atMs'] === 'number'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
