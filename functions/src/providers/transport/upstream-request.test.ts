import { getEventListeners, once } from 'node:events';
import { during } from '../../../test/support/during';
import { refusedUrl, sendStatus, startFakeUpstream, underControl } from '../../../test/support/fake-upstream';
import { LongTexts } from './long-texts';
import { bodyText, upstreamResponse } from './upstream-request';

const upstream = during('each', startFakeUpstream);

test('a request has its method, path, headers and length, and asks for no compression', async () => {
  upstream.willReply(sendStatus(200, 'ok'));
  const url = new URL('/p?q=1', upstream.url);
  await upstreamResponse({
    url,
    method: 'POST',
    headers: { 'x-api-key': '1' },
    body: 'Grüße',
    signal: new AbortController().signal,
  });
  expect(upstream.requests[0]).toMatchObject({ method: 'POST', path: '/p?q=1', body: 'Grüße' });
  expect(upstream.requests[0]?.headers).toMatchObject({
    'accept-encoding': 'identity',
    'content-length': '7',
    'x-api-key': '1',
  });
});

describe('an abort', () => {
  test('after the head destroys the stream', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const controller = new AbortController();
    const asking = upstreamResponse({ url: upstream.url, signal: controller.signal });
    (await exchange).write('half');
    const stream = await asking;
    const failed = once(stream, 'error');
    controller.abort();
    await failed;
    await (await exchange).disconnected;
  });

  test('before the start, or while a long text is being encoded, sends nothing and lets the text go', async () => {
    const gate = Promise.withResolvers<void>();
    const sizes: number[] = [];
    const longTexts = new LongTexts(async (size, work) => {
      sizes.push(size);
      await gate.promise;
      return work();
    });
    const text = 'x'.repeat(300 * 1024);
    const controller = new AbortController();
    const send = (): Promise<unknown> => {
      const body = JSON.stringify(longTexts.of({ text }));
      return upstreamResponse({ url: upstream.url, body, longTexts, signal: controller.signal });
    };
    const asking = send();
    controller.abort();
    gate.resolve();
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
    const encoded = sizes.length;
    await expect(send()).rejects.toMatchObject({ name: 'AbortError' });
    expect(sizes.length).toBeGreaterThan(encoded);
    expect(upstream.requests).toHaveLength(0);
  });

  test('is not listened for any more when the response is over, or never came', async () => {
    const { signal } = new AbortController();
    upstream.willReply(sendStatus(200, 'ok'));
    const response = await upstreamResponse({ url: upstream.url, signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    const closed = once(response, 'close');
    await bodyText(response, 100);
    await closed;
    await new Promise(setImmediate);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await expect(upstreamResponse({ url: await refusedUrl(), signal })).rejects.toThrow();
    await new Promise(setImmediate);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
