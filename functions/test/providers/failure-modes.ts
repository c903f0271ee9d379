import type { Clock } from '../../src/lib/clock';
import type { FakeClock } from '../support/fake-clock';
import {
  type Exchange,
  type Reply,
  sendBytewise,
  sendEvents,
  sendStatus,
  underControl,
} from '../support/fake-upstream';
import { type Protocol, withCrlf } from '../support/protocols';
import { until } from '../support/until';

/** View of the service in a mode. */
export interface Observed {
  readonly clock: FakeClock;
  /** Attempts at the model that are over. */
  attemptsOver(): number;
  /** Completion tokens in the ledger's open record, as of its last checkpoint. */
  receivedTokens(): Promise<number>;
}

/** Acts of the provider: its replies in order, and where time has to pass, how. */
export interface Reaction {
  readonly replies: readonly Reply[];
  run?(observed: Observed): Promise<void>;
}

/** One way a provider fails, or is merely odd. */
export interface FailureMode {
  readonly name: string;
  begin(protocol: Protocol): Reaction;
  /** Reply of a model that is always like this; default: as its first reply. */
  readonly always?: (protocol: Protocol, clock: Clock) => Reply;
  /** Number of calls of the provider: for a reader of a stream, and for one of JSON. */
  readonly calls: { readonly stream: number; readonly json: number };
  /** Why the request fails; absent where it is answered in the end. */
  readonly fault?: { readonly stream?: string; readonly json?: string };
}

const ONCE = { stream: 1, json: 1 };
const TWICE = { stream: 2, json: 2 };
/** Once text was shown a stream is never begun again; JSON is. */
const SHOWN = { stream: 1, json: 2 };
const TIMEOUT = { stream: 'timeout', json: 'timeout' };
const PAUSE_MS = 250;
const FIRST_EVENT_MS = 120_000;
const IDLE_MS = 90_000;
/** 20 characters: five tokens by our own count. */
const SOME_TEXT = 'Twenty characters ok';

/** A failed first reply and a good second one, so much time later. */
function thenGood(first: (exchange: Exchange, protocol: Protocol) => void, pauseMs = PAUSE_MS): FailureMode['begin'] {
  return (protocol) => ({
    replies: [(exchange) => first(exchange, protocol), sendEvents(protocol.events)],
    run: (observed) => pause(observed, pauseMs),
  });
}

/** The wait between a failed attempt and the next. */
async function pause({ clock, attemptsOver }: Observed, ms = PAUSE_MS): Promise<void> {
  await until(() => attemptsOver() === 1);
  await clock.advance(ms);
}

/**
 * A reply that never ends, given up exactly when the timer for the first event says so, and for good: whatever the model
 * was thinking is paid for.
 */
function silent(begin: (exchange: Exchange) => void): FailureMode['begin'] {
  return () => {
    const { exchange, reply } = underControl();
    return {
      replies: [reply],
      run: async ({ clock }) => {
        const silentOne = await exchange;
        begin(silentOne);
        await clock.advance(FIRST_EVENT_MS);
        await silentOne.disconnected;
      },
    };
  };
}

/** Keep-alives every 20 s: the first may say that the model has begun, the others say nothing. */
function onlyKeepAlives(protocol: Protocol): Reaction {
  const { exchange, reply } = underControl();
  return {
    replies: [reply],
    run: async ({ clock, attemptsOver }) => {
      const lively = await exchange;
      for (let waitedMs = 0; waitedMs < 2 * FIRST_EVENT_MS && attemptsOver() === 0; waitedMs += 1_000) {
        if (waitedMs % 20_000 === 0) lively.write(protocol.keepAlive);
        await clock.advance(1_000);
      }
      await lively.disconnected;
    },
  };
}

function refused(status: number, waitSeconds?: number): FailureMode['begin'] {
  const headers = waitSeconds === undefined ? {} : { 'retry-after': String(waitSeconds) };
  return thenGood(
    (exchange, protocol) => sendStatus(status, protocol.errorBody('UPSTREAM-WORDS'), headers)(exchange),
    waitSeconds === undefined ? PAUSE_MS : waitSeconds * 1_000,
  );
}

/** Checkpoints, every second, write down what has come. */
async function untilReceived({ clock, receivedTokens }: Observed, tokens: number): Promise<void> {
  await until(async () => {
    if ((await receivedTokens()) >= tokens) return true;
    await clock.advance(1_000);
    return false;
  });
}

/** Text, and then silence, which is cut short when it has lasted as long as a silence may. */
function stallAfterText(protocol: Protocol): Reaction {
  const { exchange, reply } = underControl();
  return {
    replies: [reply, sendEvents(protocol.events)],
    run: async (observed) => {
      const silent = await exchange;
      silent.write(protocol.textEvent(SOME_TEXT));
      await untilReceived(observed, 5);
      // Not a second longer than the attempt lasts: what follows it, the settling, is done in real time.
      for (let waitedMs = 0; waitedMs < IDLE_MS && observed.attemptsOver() === 0; waitedMs += 1_000) {
        await observed.clock.advance(1_000);
      }
      await silent.disconnected;
      await pause(observed);
    },
  };
}

/** Estimate of the text once, twice and so on: 4.6 tokens each. */
const TOKENS_OF_DROPS = [5, 9, 14, 18];

/** A text every 80 s: slower than anybody would wait for in one piece, never silent for long. */
function slowDrip(protocol: Protocol): Reaction {
  const { exchange, reply } = underControl();
  return {
    replies: [reply],
    run: async (observed) => {
      const { write, end } = await exchange;
      for (const tokens of TOKENS_OF_DROPS) {
        write(protocol.textEvent(SOME_TEXT));
        await untilReceived(observed, tokens);
        await observed.clock.advance(60_000);
      }
      end(protocol.events);
    },
  };
}

const odd =
  (reply: (protocol: Protocol) => Reply): FailureMode['begin'] =>
  (protocol) => ({ replies: [reply(protocol)] });

/** A reply that begins so and never ends. */
const endless =
  (begin: (exchange: Exchange, protocol: Protocol) => void): NonNullable<FailureMode['always']> =>
  (protocol) =>
  (exchange) =>
    begin(exchange, protocol);

/** Something written again and again, for as long as it is read. */
const dripping =
  (gapMs: number, piece: (protocol: Protocol) => string): NonNullable<FailureMode['always']> =>
  (protocol, clock) =>
  (exchange) => {
    let open = true;
    void exchange.disconnected.then(() => {
      open = false;
    });
    const drip = (): void => {
      if (!open) return;
      exchange.write(piece(protocol));
      clock.after(gapMs, drip);
    };
    drip();
  };

/** Every way a provider was seen to fail, and what must come of it. */
export const FAILURE_MODES: readonly FailureMode[] = [
  { name: '429 with Retry-After', begin: refused(429, 2), calls: TWICE },
  {
    name: '429 without Retry-After',
    begin: refused(429),
    calls: ONCE,
    fault: { stream: 'rate limited', json: 'rate limited' },
  },
  {
    // A stream that has not begun is not kept waiting for longer than two seconds.
    name: '529 with Retry-After',
    begin: refused(529, 3),
    calls: SHOWN,
    fault: { stream: 'overloaded' },
  },
  { name: '529 without Retry-After', begin: refused(529), calls: TWICE },
  { name: '401', begin: refused(401), calls: ONCE, fault: { stream: 'unauthorized', json: 'unauthorized' } },
  { name: '404', begin: refused(404), calls: ONCE, fault: { stream: 'not found', json: 'not found' } },
  {
    name: 'a stall before the first byte',
    begin: silent(() => undefined),
    calls: ONCE,
    fault: TIMEOUT,
  },
  {
    name: 'a stall after the headers',
    begin: silent((exchange) => exchange.begin(200, { 'content-type': 'text/event-stream' })),
    always: endless((exchange) => exchange.begin(200, { 'content-type': 'text/event-stream' })),
    calls: ONCE,
    fault: TIMEOUT,
  },
  {
    name: 'a stall after the first text',
    begin: stallAfterText,
    always: endless((exchange, protocol) => exchange.write(protocol.textEvent(SOME_TEXT))),
    calls: SHOWN,
    fault: { stream: 'timeout' },
  },
  {
    name: 'keep-alives only',
    begin: silent((exchange) => exchange.write(': keep-alive\n\n'.repeat(50))),
    always: dripping(20_000, () => ': keep-alive\n\n'),
    calls: ONCE,
    fault: TIMEOUT,
  },
  {
    name: 'keep-alives without anything in them, in each protocol’s own form',
    begin: onlyKeepAlives,
    always: dripping(20_000, ({ keepAlive }) => keepAlive),
    calls: ONCE,
    fault: TIMEOUT,
  },
  {
    name: 'a truncated stream',
    begin: thenGood((exchange, protocol) => exchange.end(protocol.textEvent(SOME_TEXT))),
    calls: SHOWN,
    fault: { stream: 'network' },
  },
  {
    name: 'an error after 200, before any text',
    begin: thenGood((exchange, protocol) => exchange.end(protocol.overloadedEvent)),
    calls: TWICE,
  },
  {
    name: 'an error after 200, after some text',
    begin: thenGood((exchange, protocol) => exchange.end(protocol.textEvent(SOME_TEXT) + protocol.overloadedEvent)),
    calls: SHOWN,
    fault: { stream: 'overloaded' },
  },
  { name: 'one-byte chunks', begin: odd((protocol) => sendBytewise(protocol.events)), calls: ONCE },
  { name: 'CRLF', begin: odd((protocol) => sendEvents(withCrlf(protocol.events))), calls: ONCE },
  {
    name: 'a missing [DONE]',
    begin: odd((protocol) => sendEvents(protocol.events.replace('data: [DONE]\n\n', ''))),
    calls: ONCE,
  },
  {
    name: 'a line without end',
    begin: thenGood((exchange) => exchange.end(`data: ${'x'.repeat(5 * 1024 * 1024)}`)),
    calls: TWICE,
  },
  { name: 'wrong JSON', begin: thenGood((exchange) => exchange.end('data: {"oops\n\n')), calls: TWICE },
  {
    name: 'a slow drip',
    begin: slowDrip,
    always: dripping(60_000, ({ textEvent }) => textEvent(SOME_TEXT)),
    calls: ONCE,
  },
];
