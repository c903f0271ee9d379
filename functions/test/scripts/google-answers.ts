import type { IncomingMessage } from 'node:http';

/** Requests to the stand-in for Google, and its answers. */

export type Json = Record<string, unknown>;

export type Body = Json & {
  payload?: { data: string };
  permissions?: string[];
  traffic?: Json[];
  cleanupPolicies?: Json;
};

export interface Asked {
  readonly path: string;
  readonly body: Body;
  readonly request: IncomingMessage;
  /** The address of the stand-in. */
  readonly origin: string;
}

/** The status and the body. */
export type Answer = [number, unknown];

/** The answer to requests of a method and path, made of what a project holds. */
export type Route<Project> = readonly [RegExp, (project: Project, asked: Asked) => Answer];

export const NOT_FOUND: Answer = [404, { error: { code: 404, message: 'not found', status: 'NOT_FOUND' } }];
export const REFUSED: Answer = [403, { error: { code: 403, message: 'denied', status: 'PERMISSION_DENIED' } }];

export function found(value: unknown): Answer {
  return value ? [200, value] : NOT_FOUND;
}

/** An operation that has ended at once. */
export function done(response: unknown = {}): Answer {
  return [200, { name: 'operations/done', done: true, response }];
}
