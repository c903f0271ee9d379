import diagnostics from 'node:diagnostics_channel';
import type { RequestListener } from 'node:http';
import type { CloudEvent, CloudFunction } from 'firebase-functions/core';
import type { ScheduleFunction } from 'firebase-functions/scheduler';
import firebaseFunctionsTest from 'firebase-functions-test';

/** What `src/index.ts` exports. */
type Functions = typeof import('../../src/index');

/** The exported functions, loaded into this process. */
export type LoadedFunctions = ReturnType<typeof loadFunctions>;

/**
 * Loads `src/index.ts` as the platform would, with `env` as its settings: loading reads them, starts the sweep of the
 * embedded store, and hooks into every HTTP server of the process. Once per test file.
 */
export function loadFunctions(env: Readonly<Record<string, string>>) {
  const before = { ...process.env };
  const { wrap, cleanup } = firebaseFunctionsTest();
  Object.assign(process.env, env);
  const logLines: string[] = [];
  const write = jest.spyOn(console, 'log').mockImplementation((lines: string) => {
    logLines.push(...lines.split('\n'));
  });
  const subscribe = jest.spyOn(diagnostics, 'subscribe');
  const { api, sweep, reconcile } = jest.requireActual<Functions>('../../src/index');
  const hooks = [...subscribe.mock.calls];
  subscribe.mockRestore();
  // The wrapper's types know no scheduled functions of the second generation; it does call them.
  const call = (scheduled: ScheduleFunction) => wrap(scheduled as unknown as CloudFunction<CloudEvent<unknown>>)();
  return {
    /** For an HTTP server: it makes do with Node's own request and response, though its type wants Express's. */
    api: api as unknown as RequestListener,
    /** Call a scheduled function once, as Cloud Scheduler does. */
    sweep: async () => call(sweep),
    reconcile: async () => call(reconcile),
    /** What is logged while `work` is done, but for the lines of requests before it, which may have waited for others. */
    logged: async (work: () => Promise<unknown>): Promise<unknown[]> => {
      const known = logLines.length;
      await work();
      const lines = logLines.slice(known).map((line): { message: string } => JSON.parse(line));
      return lines.filter(({ message }) => message !== 'request' && message !== 'model call');
    },
    /** Takes back what loading changed in the process. */
    unload: () => {
      cleanup();
      write.mockRestore();
      for (const [channel, hook] of hooks) diagnostics.unsubscribe(channel, hook);
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    },
  };
}
