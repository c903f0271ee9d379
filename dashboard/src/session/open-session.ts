import { ApiError, errorOf } from '../api/api-error';
import type { Schema } from '../api/client';
import { loadPart } from '../loading/load-part';
import { embeddedSession } from './embedded-session';
import type { Session } from './session';

/** Asks the server how its users sign in, and loads Firebase only where they do it there. */
export async function openSession(): Promise<Session> {
  const config = await readConfig();
  const baseUrl = config.apiBaseUrl ?? `${location.origin}/v1`;
  if (config.mode === 'embedded') return embeddedSession(config, baseUrl);
  const { firebaseSession } = await loadPart(() => import('./firebase-session'));
  return firebaseSession(config, baseUrl);
}

async function readConfig(): Promise<Schema<'DashboardConfig'>> {
  let response: Response;
  try {
    response = await fetch('/dashboard/config.json');
  } catch {
    throw new ApiError('The server cannot be reached.', { status: 0, type: 'unreachable' });
  }
  if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
  return response.json();
}
