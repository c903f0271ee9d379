import type { RecordedRun, RunEvent } from './run-events';

const FORMAT = 'ensemble-run';
const VERSION = 1;

/** A run as a file to be shared: what was asked, everything that happened, and how its answers were judged. */
export function runFileText({ request, events, evaluations }: RecordedRun): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, request, events, evaluations })}\n`;
}

/** The run in such a file; a text where it holds none, which says why. */
export function readRunFile(text: string): RecordedRun | string {
  const file = parsed(text);
  if (file?.['format'] !== FORMAT) return 'This file holds no run.';
  if (file['version'] !== VERSION) return 'This file was written by a newer version than this page knows.';
  const { request, events, evaluations } = file;
  if (!isRequest(request) || !Array.isArray(events) || !events.every(isEvent)) return 'This file is damaged.';
  const judged = Array.isArray(evaluations) ? evaluations : [];
  return { request, events: events as readonly RunEvent[], evaluations: judged };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRequest(value: unknown): value is RecordedRun['request'] {
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
