import type { ModelProvider } from '../../src/models/model';
import type { ModelFaultKind } from '../../src/models/model-fault';
import { during } from '../support/during';
import { sendEvents, sendStatus, startFakeUpstream, underControl } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, faultOf, RecordingListener } from '../support/provider-calls';

const upstream = during('each', startFakeUpstream);
let listener: RecordingListener;

beforeEach(() => {
  listener = new RecordingListener();
});

describe.each(PROTOCOLS)('$name', (protocol) => {
  let provider: ModelProvider;

  beforeEach(() => {
    provider = protocol.create(upstream.url);
  });

  describe('an HTTP failure', () => {
    test.each<[number, ModelFaultKind]>([
      [400, 'bad_request'],
      [401, 'unauthorized'],
      [403, 'unauthorized'],
      [404, 'not_found'],
      [408, 'timeout'],
      [422, 'bad_request'],
      [429, 'rate_limited'],
      [500, 'server'],
      [502, 'server'],
      [503, 'overloaded'],
      [504, 'timeout'],
      [529, 'overloaded'],
    ])('%i is %s, asks for no wait it was not told, and is not retried here', async (status, kind) => {
      upstream.willReply(sendStatus(status, protocol.errorBody('secret upstream words')));
      const fault = await faultOf(provider.run(callOf(), listener));
      expect(fault.kind).toBe(kind);
      expect(fault.retryAfterSeconds).toBeUndefined();
      expect(fault.message).not.toContain('secret');
      expect(upstream.requests).toHaveLength(1);
    });

    test('400 about the length of the prompt is context_length', async () => {
      upstream.willReply(sendStatus(400, protocol.errorBody(protocol.contextMessage)));
      expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('context_length');
    });

    test('with a body larger than any report is told by its status', async () => {
      upstream.willReply(sendStatus(503, 'x'.repeat(65 * 1024)));
      expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('overloaded');
    });

    test('of an address that has a page and no API tells, to the log, which address that is, and no key in it', async () => {
      const elsewhere = upstream.url.replace('127.0.0.1', 'user:secret@127.0.0.1');
      for (const status of [404, 200]) {
        upstream.willReply(sendStatus(status, '<html>Welcome</html>', { 'content-type': 'text/html' }));
        const fault = await faultOf(protocol.create(elsewhere).run(callOf(), listener));
        expect(fault.message).toMatch(/^model call failed: wrong_address \(http:\/\/127\.0\.0\.1:\d+\/v1[\w/]*\)$/);
      }
    });

    test('before any answer, by a lost connection, is a network fault', async () => {
      upstream.willReply((exchange) => exchange.cut());
      expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('network');
    });
  });

  test('an abort before the start sends nothing', async () => {
    const call = callOf({ signal: AbortSignal.abort() });
    expect((await faultOf(provider.run(call, listener))).kind).toBe('aborted');
    expect(upstream.requests).toHaveLength(0);
  });

  test('an abort in the middle of the stream, while the listener is busy, closes the connection', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const controller = new AbortController();
    const first = Promise.withResolvers<void>();
    listener.text = () => {
      first.resolve();
      return new Promise((resolve) => controller.signal.addEventListener('abort', () => resolve()));
    };
    const run = faultOf(provider.run(callOf({ signal: controller.signal }), listener));
    (await exchange).write(protocol.textEvent('x'));
    await first.promise;
    controller.abort();
    expect((await run).kind).toBe('aborted');
    await (await exchange).disconnected;
  });

  test('one failed call leaves the provider fit for the next', async () => {
    upstream.willReply(sendStatus(500, 'broken'), sendEvents(protocol.events));
    await faultOf(provider.run(callOf(), listener));
    await expect(provider.run(callOf(), listener)).resolves.toBe('stop');
  });
});

describe.each(PROTOCOLS)('$name, on our own fetch', (protocol) => {
  test.each([301, 302, 307, 308])('a redirect (%i) is a failure and not followed', async (status) => {
    const elsewhere = await startFakeUpstream();
    upstream.willReply(sendStatus(status, '', { location: `${elsewhere.url}/steal` }));
    expect((await faultOf(protocol.create(upstream.url).run(callOf(), listener))).kind).toBe('wrong_address');
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });
});
