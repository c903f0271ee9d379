import { grantedGateway, type RunLease } from '../../src/byok/granted-gateway';
import { createCatalog, type ModelRow } from '../../src/models/catalog';
import {
  type AttemptEntry,
  type CallResult,
  failedCall,
  type GatewayCall,
  type ModelGateway,
  newMeter,
} from '../../src/models/gateway/gateway-call';
import type { ReportedUsage } from '../../src/models/model';
import type { ModelFaultKind } from '../../src/models/model-fault';
import { fakeClock } from './fake-clock';
import { scopeOf } from './request-scope';
import { textOfTokens } from './text-of-tokens';

/** A model of the platform. */
export const PLATFORM = createCatalog().modelOf('demo-ada');
/** A model that its user pays for. */
export const ROUTER: ModelRow = { ...PLATFORM, id: 'o/m', provider: 'router' };
/** 100 tokens and the wrapping: 104, and 704 with an ordinary reply. */
const PROMPT = { turns: [{ role: 'user' as const, text: textOfTokens(100) }] };

/** A call as the test drives it. */
interface Step {
  readonly model: ModelRow;
  readonly outputTokensMax: number | undefined;
  write(characters: number): void;
  fail(fault: ModelFaultKind, usage?: ReportedUsage): void;
  /** Passes a piece of text on. */
  say(piece: string): void;
  /** Begins a second attempt. */
  again(): Promise<unknown>;
  readonly signal: AbortSignal;
  answer(usage: { promptTokens: number; completionTokens: number } | string): void;
}

/** A gateway whose calls begin at once and end when the test says so; it counts four characters a token. */
export function scene(tokens: number, extend: RunLease['extend'] = () => Promise.resolve(false), tokensMax = 300_000) {
  const client = new AbortController();
  const departure = { clock: fakeClock(), clientGone: client.signal, stopping: NEVER };
  const steps: Step[] = [];
  const asked: number[] = [];
  const inner: ModelGateway = {
    call: async (call) => {
      const book = await call.openAttempt(1);
      const { promise, resolve } = Promise.withResolvers<CallResult>();
      call.signal.addEventListener('abort', () => resolve(failedCall('aborted')));
      steps.push({
        model: call.model,
        outputTokensMax: call.outputTokensMax,
        write: (characters) => {
          book.meter.characters += characters;
          book.meter.tokens += characters / 4;
          call.onProgress?.();
        },
        fail: (fault, usage) => {
          book.meter.usage = usage;
          resolve({ ok: false, fault, cause: undefined, streamed: false });
        },
        say: (piece) => void call.onText?.(piece),
        again: async () => call.openAttempt(2),
        signal: call.signal,
        answer: (usage) => {
          if (typeof usage === 'string')
            Object.assign(book.meter, { characters: usage.length, tokens: Math.ceil(usage.length / 4) });
          else book.meter.usage = usage;
          resolve({ ok: true, text: 'fine', finishReason: 'stop' });
        },
      });
      return promise;
    },
  };
  const lease: RunLease = {
    tokens,
    tokensMax: () => tokensMax,
    extend: (more) => {
      asked.push(more);
      return extend(more);
    },
  };
  const gateway = grantedGateway(inner, lease, departure);
  const call = (model = PLATFORM, change: Partial<GatewayCall> = {}) =>
    gateway.call({ ...callTo(model), signal: client.signal, ...change });
  return { steps, asked, call, client };
}

function callTo(model: ModelRow): GatewayCall {
  const book: AttemptEntry = { meter: newMeter(), close: () => {}, cancel: () => {} };
  const signal = new AbortController().signal;
  return {
    scope: scopeOf('q1'),
    model,
    prompt: PROMPT,
    purpose: 'draft',
    signal,
    budgetMs: 1_000,
    openAttempt: () => ({ ...book, meter: { ...book.meter } }),
  };
}

const NEVER = new AbortController().signal;
/** Lets everything run that can. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
/** What a call ends with for which the grant holds no more. */
export const USED_UP = { ok: false, fault: 'token_grant_used_up', cause: undefined, streamed: false };
