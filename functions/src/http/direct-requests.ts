import type { Server } from 'node:http';
import type { App } from './app';
import type { DuringRequest } from './request-faults';

/**
 * Gives the requests of a server to the app itself. The Functions Framework would pass each through Express, five parsers
 * of bodies that were taken from them (`keepBodiesFromFramework`) and a domain: a quarter of what a pass-through takes
 * (ADR 50). To be called before the server listens, when it has no other listeners yet.
 */
export function answerDirectly(server: Server, app: App, during: DuringRequest): void {
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    // Not before the parser has looked at what came along: what it refuses must not find the reply before it half done.
    process.nextTick(() => during(res, () => app(req, res)));
  });
}
