import type { Schema } from '../api/client';
import type { Session } from './session';

/** To be built. */
export async function firebaseSession(_config: Schema<'DashboardConfig'>, _baseUrl: string): Promise<Session> {
  throw new Error('to be built');
}
