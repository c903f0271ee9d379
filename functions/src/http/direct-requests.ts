import type { Server } from 'node:http';
import type { OpenWork } from '../lib/open-work';
import type { App } from './app';
import type { DuringRequest } from './request-faults';

/** What answers the requests of a server. */
export interface DirectParts {
  readonly app: App;
  readonly during: DuringRequest;
  readonly openWork: OpenWork;
}

/**
 * Gives the requests of a server to the app itself. The Functions Framework would pass each through Express, five parsers
 * of bodies that were taken from them (`keepBodiesFromFramework`) and a domain: a quarter of what a pass-through takes
 * (ADR 3). To be called before the server listens, when it has no other listeners yet.
 */
export function answerDirectly(server: Server, { app, during, openWork }: DirectParts): void {
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    const end = openWork.begin();
    // Not before the parser has looked at what came along: what it refuses must not find the reply before it half done.
    setImmediate(() => {
      // Whoever has left meanwhile is told by no event any more.
      if (!res.closed) during(res, () => app(req, res));
      end();
    });
  });
}
