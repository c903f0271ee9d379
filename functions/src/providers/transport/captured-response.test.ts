import { text } from 'node:stream/consumers';
import { type FakeUpstream, refusedUrl, sendStatus, startFakeUpstream } from '../../../test/support/fake-upstream';
import { capturedResponse } from './captured-response';

let upstream: FakeUpstream;

beforeEach(async () => {
  upstream = await startFakeUpstream();
});

afterEach(() => upstream.close());

test('the response is the one that the SDK’s request got', async () => {
  upstream.willReply(sendStatus(200, 'fine'));
  const stream = await capturedResponse({}, (fetch) => fetch(upstream.url, { method: 'POST', body: '{}' }));
  await expect(text(stream)).resolves.toBe('fine');
  expect(upstream.requests[0]).toMatchObject({ method: 'POST', body: '{}' });
});

test('an error of the network keeps its code, whatever the SDK makes of it', async () => {
  const url = await refusedUrl();
  const send = (fetch: (input: string) => Promise<Response>) =>
    fetch(url).catch(() => Promise.reject(new Error('exception sending request')));
  await expect(capturedResponse({}, send)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a refusal rejects with its fault, whatever the SDK makes of that', async () => {
  upstream.willReply(sendStatus(503, 'x'));
  const send = (fetch: (input: string) => Promise<Response>) => fetch(upstream.url).catch(() => 'made nothing of it');
  await expect(capturedResponse({}, send)).rejects.toMatchObject({ kind: 'overloaded' });
});

test('an SDK that fails before it sends anything is told by its own error', async () => {
  const send = () => Promise.reject(new RangeError('no contents'));
  await expect(capturedResponse({}, send)).rejects.toThrow(new RangeError('no contents'));
});

test('an SDK that sends nothing is a failure', async () => {
  await expect(capturedResponse({}, () => Promise.resolve())).rejects.toThrow('the SDK made no request');
});
