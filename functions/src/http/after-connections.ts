import type { Server } from 'node:http';
import type { Clock } from '../lib/clock';

/** How long a request waits at most for connections that are still coming in. */
const WAIT_MAX_MS = 20;

/**
 * Begins the requests of a server once the connections that wait are taken in, those of one turn of the event loop one
 * after the other.
 *
 * Node takes in one connection a turn (libuv#3696). Where each turn also works for the requests that are there already, it
 * lasts milliseconds, and the last of 200 clients that come at once waits for half a second. Taken in first, they take 0.2 ms
 * each, and all their admissions are one commit (ADR 56). A request waits in the turn it came in where no connection does.
 */
export function afterConnections(server: Server, clock: Clock): (begin: () => void) => void {
  let waiting: (() => void)[] = [];
  let waitsSinceMs = 0;
  let tookConnection = false;
  server.on('connection', () => {
    tookConnection = true;
  });
  return (begin) => {
    waiting.push(begin);
    if (waiting.length > 1) return;
    waitsSinceMs = clock.nowMs();
    setImmediate(endTurn);
  };

  function endTurn(): void {
    const waits = tookConnection && clock.nowMs() - waitsSinceMs < WAIT_MAX_MS;
    tookConnection = false;
    if (waits) setImmediate(endTurn);
    else for (const begin of takeAll()) begin();
  }

  function takeAll(): readonly (() => void)[] {
    const all = waiting;
    waiting = [];
    return all;
  }
}
