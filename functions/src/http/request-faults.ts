import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { refuse } from '../errors';
import type { Clock } from '../lib/clock';
import { type ListenedTo, takeFrameworkListeners } from '../lib/framework-listeners';
import type { Log } from '../lib/log';
import { sendReply } from './reply';

interface FaultDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Node's `process`, or what stands for it. */
  readonly process: ListenedTo;
}

/** Does the work of a request. What throws in it, and later in any callback of it, is that request's fault. */
export type DuringRequest = (res: ServerResponse, work: () => Promise<void>) => void;

/**
 * Keeps a fault of one request from ending the process, and with it the requests of others. The Functions Framework does
 * that with a node:domain for each request, which costs a hook on every promise (ADR 3). A request whose callback throws
 * gets a 500; where its reply has begun, its connection is closed. What is thrown outside all requests ends the process,
 * by the listener of the framework.
 */
export function isolateFaults(deps: FaultDeps): DuringRequest {
  // A number and no object: whatever is made during a request and outlives it, such as a socket, holds what is stored.
  const current = new AsyncLocalStorage<number>();
  const open = new Map<number, ServerResponse>();
  let latest = 0;
  takeFrameworkListeners(deps.process, ['uncaughtException'], (event, endProcess) => {
    deps.process.on(event, (error: unknown, origin: unknown) => {
      const res = open.get(current.getStore() ?? 0);
      if (res) endFaulty(deps, res, error);
      else endProcess(error, origin);
    });
  });
  return (res, work) => {
    latest += 1;
    const number = latest;
    open.set(number, res);
    res.once('close', () => open.delete(number));
    current.run(number, work).catch((error: unknown) => endFaulty(deps, res, error));
  };
}

function endFaulty({ clock, log }: FaultDeps, res: ServerResponse, error: unknown): void {
  log.error('request failed', { requestId: res.getHeader('x-request-id') }, error);
  // To end it would make a whole reply of what has come so far.
  if (res.headersSent) res.destroy();
  else void sendReply(res, refuse('internal'), clock);
}
