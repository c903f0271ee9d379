import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../config';
import type { DuringRequest } from '../http/request-faults';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { OpenWork } from '../lib/open-work';
import { inTurn } from './warm-up-requests';
import { openWarmUpService } from './warm-up-service';
import { whenIdle } from './when-idle';

/** What a process warms up with: its settings, how it does the work of a request, and what is under way in it. */
export interface WarmUpDeps {
  readonly config: Config;
  readonly during: DuringRequest;
  readonly openWork: OpenWork;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Whether a process with these settings warms up. An instance on Google Cloud has a processor only while it starts or
 * answers, so that somebody would always wait. Telemetry would count requests that nobody made, a proxy would be asked for the
 * models of this process.
 */
export function isWarmedUp({ warmUp, cloud, telemetryModule, proxies }: Config): boolean {
  return warmUp && cloud === undefined && telemetryModule === '' && proxies.http_proxy === undefined;
}

/**
 * Lets V8 compile what requests go through before users wait for it: plays some hundred against a service and models of
 * its own in this process, on a store that is thrown away, while nobody asks for anything (ADR 57). Never rejects: what
 * goes wrong is a line of the log, and the code is compiled by the requests of users instead.
 */
export async function warmUp(deps: WarmUpDeps): Promise<void> {
  const { openWork, clock, log } = deps;
  const idle = whenIdle(openWork, clock);
  try {
    await idle(0);
    const startedAtMs = clock.nowMs();
    // The end of the process waits for it, so that nothing of it stays on the disk.
    const requests = await openWork.during(() => play(deps, idle));
    log.debug('warmed up', { requests, durationMs: clock.nowMs() - startedAtMs });
  } catch (error) {
    if (!openWork.stopping.aborted) log.info('warm-up left out', {}, error);
  }
}

/** Makes one request after the other, each only where nobody else has one; resolves with how many there were. */
async function play(deps: WarmUpDeps, idle: (own: number) => Promise<void>): Promise<number> {
  const { stopping } = deps.openWork;
  const kinds = inTurn();
  const ends = new AsyncDisposableStack();
  try {
    const ask = await openWarmUpService(deps, ends);
    for (const [index, kind] of kinds.entries()) {
      await idle(1);
      if (stopping.aborted) return index;
      await ask(kind);
      await nextTurn();
    }
    return kinds.length;
  } finally {
    await ends.disposeAsync();
  }
}
