import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { decoded } from '../lib/foreign-text';

/**
 * Keeps request bodies away from the Functions Framework, for the whole process. It would parse them before any key is
 * checked, up to 1 GiB: a gzip bomb of 194 KB takes 1 GB of memory. Without the headers that announce a body its parsers
 * find nothing to do; `body.ts` reads those headers where the framework does not look. Paths that Express cannot decode
 * are put so that they reach our own 404: for each it would write a stack into the log, which anybody could fill.
 */
export function keepBodiesFromFramework(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    delete request.headers['content-length'];
    delete request.headers['transfer-encoding'];
    const [path = ''] = request.url?.split('?', 1) ?? [];
    if (decoded(path) === undefined) request.url = '/invalid-percent-encoding';
  });
}

/** Keeps listeners that are added from now on off these signals: those of the framework end the process at once. */
export function keepSignalsFromFramework(signals: readonly string[]): void {
  process.on('newListener', (event: string, listener) => {
    if (signals.includes(event)) queueMicrotask(() => process.off(event, listener));
  });
}
