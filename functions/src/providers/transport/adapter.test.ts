import { type FakeUpstream, refusedUrl, sendStatus, startFakeUpstream } from '../../../test/support/fake-upstream';
import { SdkExchange, sdkFetch } from './adapter';
import { bodyText } from './upstream-request';

let upstream: FakeUpstream;
let exchange: SdkExchange;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  exchange = new SdkExchange({ signal: new AbortController().signal });
});

afterEach(() => upstream.close());

/** Calls `fetch` as an SDK does that has its own words for every failure. */
async function request(url: string): Promise<unknown> {
  const headers = { authorization: 'Bearer k', 'x-stainless-os': 'Linux', 'x-custom': '1', cookie: 'c=1' };
  const response = await sdkFetch(url, { method: 'POST', body: '{}', headers, ...exchange.fetchOptions }).catch(() => {
    throw new Error('SDK error');
  });
  return response.ok;
}

test('the response is the one that the SDK’s request got; of its headers only those that protocols need are sent', async () => {
  upstream.willReply(sendStatus(200, 'ok'));
  expect(await bodyText(await exchange.responseTo(request(upstream.url)), 100)).toBe('ok');
  const sent = ['accept-encoding', 'authorization', 'connection', 'content-length', 'host'];
  expect(Object.keys(upstream.requests[0]?.headers ?? {}).sort()).toEqual(sent);
});

test('an error of the network keeps its code, whatever the SDK makes of it', async () => {
  const asking = exchange.responseTo(request(await refusedUrl()));
  await expect(asking).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a refusal rejects with its fault, whatever the SDK makes of that', async () => {
  upstream.willReply(sendStatus(429, { error: { message: 'slow down' } }, { 'retry-after': '7' }));
  const asking = exchange.responseTo(request(upstream.url));
  await expect(asking).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 7 });
});

test('an SDK that fails before it sends anything fails with its own error, and one that sends nothing fails too', async () => {
  await expect(exchange.responseTo(Promise.reject(new Error('no key')))).rejects.toThrow('no key');
  await expect(exchange.responseTo(Promise.resolve())).rejects.toThrow(TypeError);
});
