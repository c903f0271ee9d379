import { setImmediate as soon } from 'node:timers/promises';
import { isRefusal } from '../../src/errors';
import { run } from '../../src/runs/run';
import type { EventSink } from '../../src/runs/run-context';
import { type App, startApp } from '../support/app';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { event, type FakeUpstream, type Reply, startFakeUpstream, underControl } from '../support/fake-upstream';
import { type Playground, play, playgroundOf, UMA } from '../support/playground';
import { grantLease } from '../support/store-records';
import { textOfTokens } from '../support/text-of-tokens';
import { until } from '../support/until';

/** A user of the bring-your-own-key plan takes of platform models what the grant holds, however a model or a client behaves. */

const GRANT = 300_000;
const MONTH = { userId: UMA, month: '2026-01' };
/** A hundred tokens by our count. */
const PIECE = event({ choices: [{ index: 0, delta: { content: textOfTokens(100) } }] });
const PIECES_MAX = 1_000;

let upstream: FakeUpstream;
let clock: FakeClock;
let app: App;
let playground: Playground;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  clock = fakeClock();
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
  app = await startApp({ clock, env, providers: {} });
  playground = playgroundOf(app);
  await app.user(UMA, 'byok');
});
afterEach(async () => {
  await app.close();
  await upstream.close();
});

const grant = () => app.container.store.readGrant(MONTH, clock.nowMs());
/** Another run of the user holds all of the grant but this. */
const leave = (tokens: number) =>
  app.container.store.leaseGrant(grantLease('another', GRANT - tokens, MONTH), GRANT, clock.nowMs());

/** Writes on and on, a hundred tokens at a time, until it is hung up on. */
function writesOn(pieces: { written: number }): Reply {
  return async (exchange) => {
    let isOver = false;
    void exchange.disconnected.then(() => {
      isOver = true;
    });
    while (!isOver && pieces.written < PIECES_MAX) {
      exchange.write(PIECE);
      pieces.written += 1;
      await soon();
    }
    exchange.end('data: [DONE]\n\n');
  };
}

/** A reader that takes everything at once. */
function liveSink(): EventSink & { readonly text: jest.Mock } {
  return { live: true, text: jest.fn(() => undefined), status: () => undefined };
}

describe('a reply of a platform model on a grant', () => {
  it.each([
    ['streamed', true],
    ['in one piece', false],
  ])('stops when the grant is used up: %s', async (_, live) => {
    await leave(2_000);
    const pieces = { written: 0 };
    upstream.willReply(writesOn(pieces));
    const admitted = await playground.open({ model: 'house-model' });
    if (isRefusal(admitted)) throw new Error(admitted.text);
    const ended = live ? await run(admitted, liveSink()) : await play(admitted);
    expect(JSON.stringify(ended)).not.toContain('🍅🍅');
    expect('publicText' in ended ? ended.publicText : 'text' in ended && ended.text).toContain('token grant used up');
    const { usedTokens } = await grant();
    expect(usedTokens).toBeGreaterThan(1_900);
    // What arrives while the store is asked comes on top.
    expect(usedTokens).toBeLessThan(20_000);
    expect(pieces.written).toBeLessThan(PIECES_MAX);
  });

  it('is limited by the provider too: it is told what the grant has left', async () => {
    await leave(2_000);
    upstream.willReply(writesOn({ written: PIECES_MAX - 1 }));
    await playground.run({ model: 'house-model' }).catch(() => undefined);
    const { max_tokens, max_completion_tokens } = JSON.parse(upstream.requests[0]?.body ?? '{}');
    // “Is a tomato a fruit?” and its wrapping: 5 + 4 tokens.
    expect([max_tokens, max_completion_tokens]).toEqual([1_991, undefined]);
  });
});

describe('a client that leaves while a platform model replies', () => {
  const begin = async () => {
    const control = underControl();
    upstream.willReply(control.reply);
    const client = new AbortController();
    const admitted = await playground.open({ model: 'house-model' }, UMA, client.signal);
    if (isRefusal(admitted)) throw new Error(admitted.text);
    const sink = liveSink();
    const ended = run(admitted, sink);
    const exchange = await control.exchange;
    exchange.write(PIECE);
    await until(() => sink.text.mock.calls.length > 0);
    client.abort();
    return { exchange, ended, sink };
  };

  it('is billed what the provider reports at the end of the reply, when that comes within two seconds', async () => {
    const { exchange, ended, sink } = await begin();
    exchange.write(PIECE);
    exchange.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    exchange.end(`${event({ choices: [], usage: { prompt_tokens: 21, completion_tokens: 777 } })}data: [DONE]\n\n`);
    await ended;
    expect(await grant()).toMatchObject({ usedTokens: 21 + 777 });
    // Nobody reads on.
    expect(sink.text).toHaveBeenCalledTimes(1);
  });

  it('is billed by our count after two seconds, and the provider is hung up on', async () => {
    const { exchange, ended } = await begin();
    await clock.advance(2_000);
    await exchange.disconnected;
    await ended;
    // 9 tokens of prompt and 100 of text.
    expect(await grant()).toMatchObject({ usedTokens: 109 });
  });
});
