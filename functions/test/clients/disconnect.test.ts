import type { Settlement } from '../../src/ledger/ledger-store';
import { systemClock } from '../../src/lib/clock';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { type App, startApp, watchSettlement } from '../support/app';
import { type Exchange, type FakeUpstream, startFakeUpstream } from '../support/fake-upstream';
import { textOfTokens } from '../support/text-of-tokens';

/** A client that leaves: every upstream call ends at once, and what was consumed is in the ledger. */

const MESSAGES = [{ role: 'user', content: 'Is a tomato a fruit?' }];
const FIRST_PIECE = `data: {"choices":[{"index":0,"delta":{"content":"${textOfTokens(3)}"}}]}\n\n`;

describe('a client disconnect', () => {
  let upstream: FakeUpstream;
  let app: App;
  let settled: Promise<Settlement>;

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    const watched = watchSettlement();
    settled = watched.settled;
    app = await startApp({
      clock: systemClock,
      provider: createOpenAiProvider({ apiKey: 'x', baseUrl: upstream.url }),
      wrapStore: watched.wrapStore,
    });
  });

  afterEach(async () => {
    await app.close();
    await upstream.close();
  });

  /** Queues `count` replies that start and never finish; resolves with them once all have been asked for. */
  function hangingReplies(count: number): Promise<Exchange[]> {
    const all = Promise.withResolvers<Exchange[]>();
    const open: Exchange[] = [];
    const hang = (exchange: Exchange): void => {
      exchange.write(FIRST_PIECE);
      open.push(exchange);
      if (open.length === count) all.resolve(open);
    };
    upstream.willReply(...Array.from({ length: count }, () => hang));
    return all.promise;
  }

  async function leave(body: Record<string, unknown>, calls: number): Promise<Settlement> {
    const asked = hangingReplies(calls);
    const controller = new AbortController();
    const response = fetch(`${app.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: MESSAGES, ...body }),
      signal: controller.signal,
    });
    const read = response.then((reply) => reply.text()).catch(() => 'gone');
    const exchanges = await asked;
    controller.abort();
    expect(await read).toBe('gone');
    await Promise.all(exchanges.map(({ disconnected }) => disconnected));
    return settled;
  }

  it.each([
    ['a stream', { stream: true }],
    ['a JSON reply', {}],
  ])('during %s aborts the upstream call and records what was seen, estimated', async (_, body) => {
    const { calls } = await leave(body, 1);
    expect(calls).toHaveLength(1);
    // The text of three tokens that had come.
    expect(calls[0]).toMatchObject({ outcome: 'aborted', completionTokens: 3, estimated: true, priced: true });
    const [month] = await app.container.store.readMonths('alice', [new Date().toISOString().slice(0, 7)]);
    expect(month).toMatchObject({ requests: 1, completionTokens: 3, costNanoUsd: calls[0]?.costNanoUsd });
  });

  it('during a wave aborts all of its calls at once and starts no other', async () => {
    const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1'];
    const { calls } = await leave({ stream: true, ai_ensemble: { models, rounds: 3 } }, 3);
    expect(calls.map(({ modelId, outcome }) => [modelId, outcome])).toEqual(models.map((id) => [id, 'aborted']));
    expect(upstream.requests).toHaveLength(3);
  });

  it('in a later round records the calls that were made and none that were only planned', async () => {
    const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1'];
    const answer = ({ write, end }: Exchange): void => {
      write(FIRST_PIECE);
      write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');
      end('data: [DONE]\n\n');
    };
    upstream.willReply(answer, answer, answer);
    const ai_ensemble = { models, rounds: 10, includeReasoning: true };
    const { calls } = await leave({ stream: true, ai_ensemble }, 3);
    expect(calls.map(({ callId, outcome }) => `${callId} ${outcome}`)).toEqual([
      'r1.p1 ok',
      'r1.p2 ok',
      'r1.p3 ok',
      'r2.p1 aborted',
      'r2.p2 aborted',
      'r2.p3 aborted',
    ]);
    expect(upstream.requests).toHaveLength(6);
  });
});
