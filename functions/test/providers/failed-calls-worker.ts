import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../src/lib/clock';
import { askProvider } from '../../src/models/gateway/attempt';
import { type GatewayCall, newMeter } from '../../src/models/gateway/gateway-call';
import type { ModelProvider } from '../../src/models/model';
import { createAnthropicProvider } from '../../src/providers/anthropic/anthropic';
import { createGoogleProvider } from '../../src/providers/google/google';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { scopeOf } from '../support/request-scope';
import { onLine, print } from '../support/worker-lines';

/**
 * Makes calls that fail and counts what they leave on the heap. Lines in: `[provider, base URL, kind, calls]`; a line out
 * for each: `[bytes on the heap after it, the faults seen]`.
 */

/** Acts of the caller; every other kind is the upstream's doing, which knows it from the path. */
const READERS: Readonly<Record<string, (leave: () => void) => Promise<void> | undefined>> = {
  'reader throws': () => {
    throw new Error('reader');
  },
  'reader rejects': () => Promise.reject(new Error('reader')),
  'client leaves at once': (leave) => {
    leave();
    return undefined;
  },
  'client leaves later': (leave) => {
    setImmediate(leave);
    return undefined;
  },
};
const BUDGET_MS = 10_000;
const SHORT_BUDGET_MS = 25;
const CALLS_AT_ONCE = 8;
const PROMPT = 'p'.repeat(64 * 1024);

const CREATE: Readonly<Record<string, (baseUrl: string) => ModelProvider>> = {
  openai: (baseUrl) => createOpenAiProvider({ apiKey: 'k', baseUrl: `${baseUrl}/v1` }),
  anthropic: (baseUrl) => createAnthropicProvider({ apiKey: 'k', baseUrl }),
  google: (baseUrl) => createGoogleProvider({ apiKey: 'k', baseUrl }),
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

onLine(async (line) => {
  const [name, baseUrl, kind, count] = JSON.parse(line) as [string, string, string, number];
  const provider = CREATE[name]?.(baseUrl);
  if (!provider) throw new Error(`no provider ${name}`);
  const faults = new Set<string>();
  let left = count;
  const inTurn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      faults.add(await failedCallOf(provider, kind, left));
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, inTurn));
  print(JSON.stringify([await heapBytes(), [...faults]]));
});

/** One attempt as the gateway makes it; each has a prompt of its own. */
async function failedCallOf(provider: ModelProvider, kind: string, number: number): Promise<string> {
  const client = new AbortController();
  const call: GatewayCall = {
    scope: scopeOf('r'),
    model: {
      id: 'm',
      name: 'm',
      provider: 'openai',
      providerModel: 'm',
      contextTokens: null,
      vision: false,
      sampling: true,
    } as GatewayCall['model'],
    prompt: { turns: [{ role: 'user', text: `${number}${PROMPT}` }] },
    purpose: 'answer',
    signal: client.signal,
    budgetMs: BUDGET_MS,
    openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => undefined }),
    onText: () => READERS[kind]?.(() => client.abort()),
  };
  const endsAtMs = systemClock.monotonicMs() + (kind === 'time is up' ? SHORT_BUDGET_MS : BUDGET_MS);
  const result = await askProvider({ clock: systemClock, provider: () => provider }, call, { number: 1, endsAtMs });
  return result.ok ? 'none' : result.fault;
}

/** Heap in use once finalizers have run and their leavings are collected too. */
async function heapBytes(): Promise<number> {
  for (let pass = 0; pass < 3; pass += 1) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
