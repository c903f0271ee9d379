import { ModelFault, type ModelFaultKind, type ModelProvider } from '../../src/models/model';
import {
  type Exchange,
  type FakeUpstream,
  refusedUrl,
  sendBytewise,
  sendEvents,
  sendStatus,
  startFakeUpstream,
} from '../support/fake-upstream';
import { RecordingListener } from '../support/recording-listener';
import { callOf, FIXTURE_TEXTS, PROTOCOLS, withCrlf } from './protocols';

let upstream: FakeUpstream;
let listener: RecordingListener;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  listener = new RecordingListener();
});

afterEach(() => upstream.close());

/** The fault a run ends in. */
async function faultOf(run: Promise<unknown>): Promise<ModelFault> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelFault) return error;
  throw new Error('the run did not end in a ModelFault', { cause: error });
}

/** A reply that tells when the request came, and does what the test says then. */
function underControl(): { exchange: Promise<Exchange>; reply: (exchange: Exchange) => void } {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  return { exchange: promise, reply: resolve };
}

describe.each(PROTOCOLS)('$name', (protocol) => {
  let provider: ModelProvider;

  beforeEach(() => {
    provider = protocol.create(upstream.url);
  });

  describe('text', () => {
    test('arrives piece by piece, in order and unchanged', async () => {
      upstream.willReply(sendEvents(protocol.events));
      await expect(provider.run(callOf(), listener)).resolves.toBe('stop');
      expect(listener.texts).toEqual(FIXTURE_TEXTS);
    });

    test.each([
      ['LF', protocol.events],
      ['CRLF', withCrlf(protocol.events)],
    ])('is the same when it comes a byte at a time with %s line ends', async (_, events) => {
      upstream.willReply(sendBytewise(events));
      await expect(provider.run(callOf(), listener)).resolves.toBe('stop');
      expect(listener.texts).toEqual(FIXTURE_TEXTS);
    });

    test('is not passed on while the listener is busy, and none is lost', async () => {
      const busy = Promise.withResolvers<void>();
      const first = Promise.withResolvers<void>();
      listener.text = (delta) => {
        listener.texts.push(delta);
        first.resolve();
        return listener.texts.length === 1 ? busy.promise : undefined;
      };
      const finished = protocol.events;
      upstream.willReply(sendEvents(protocol.textEvent('one ') + protocol.textEvent('two ') + finished));
      const run = provider.run(callOf(), listener);
      await first.promise;
      // All events came in one piece, so whatever does not wait is handed over in this very turn of the event loop.
      await new Promise(setImmediate);
      expect(listener.texts).toEqual(['one ']);
      busy.resolve();
      await run;
      expect(listener.texts).toEqual(['one ', 'two ', ...FIXTURE_TEXTS]);
    });
  });

  describe('a stream that breaks', () => {
    test('by ending early is a network fault; the text so far was passed on', async () => {
      upstream.willReply(sendEvents(protocol.textEvent('half')));
      const fault = await faultOf(provider.run(callOf(), listener));
      expect(fault.kind).toBe('network');
      expect(listener.texts).toEqual(['half']);
    });

    test('by ending in the middle of an event is a network fault', async () => {
      upstream.willReply(sendEvents(protocol.textEvent('whole') + protocol.textEvent('cut').slice(0, -8)));
      const fault = await faultOf(provider.run(callOf(), listener));
      expect(fault.kind).toBe('network');
      expect(listener.texts).toEqual(['whole']);
    });

    test('by losing its connection is a network fault', async () => {
      const { exchange, reply } = underControl();
      upstream.willReply(reply);
      const first = Promise.withResolvers<void>();
      listener.text = () => {
        first.resolve();
        return undefined;
      };
      const run = faultOf(provider.run(callOf(), listener));
      (await exchange).write(protocol.textEvent('half'));
      await first.promise;
      (await exchange).cut();
      expect((await run).kind).toBe('network');
    });

    test('by an error report is the fault it reports, without the words of the provider', async () => {
      upstream.willReply(sendEvents(protocol.textEvent('half') + protocol.overloadedEvent));
      const fault = await faultOf(provider.run(callOf(), listener));
      expect(fault.kind).toBe('overloaded');
      expect(fault.message).not.toContain('secret');
      expect(listener.texts).toEqual(['half']);
    });

    test('by an event that is not JSON is a protocol fault, and its connection is closed', async () => {
      const { exchange, reply } = underControl();
      upstream.willReply(reply);
      const run = faultOf(provider.run(callOf(), listener));
      (await exchange).write('data: {"choices": [oops\n\n');
      expect((await run).kind).toBe('protocol');
      await (await exchange).disconnected;
    });

    test('by a listener that throws ends in a fault, and its connection is closed', async () => {
      const { exchange, reply } = underControl();
      upstream.willReply(reply);
      const thrown = new Error('listener broke');
      listener.text = () => {
        throw thrown;
      };
      const run = faultOf(provider.run(callOf(), listener));
      (await exchange).write(protocol.textEvent('x'));
      expect((await run).cause).toBe(thrown);
      await (await exchange).disconnected;
    });

    test('by a listener that rejects ends in a fault, and its connection is closed', async () => {
      const { exchange, reply } = underControl();
      upstream.willReply(reply);
      const thrown = new Error('listener broke later');
      listener.text = () => Promise.reject(thrown);
      const run = faultOf(provider.run(callOf(), listener));
      (await exchange).write(protocol.textEvent('x'));
      expect((await run).cause).toBe(thrown);
      await (await exchange).disconnected;
    });
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

    test('with a body that is no JSON is told by its status', async () => {
      upstream.willReply(sendStatus(502, '<html>Bad gateway</html>'));
      expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('server');
    });

    test('to connect is a network fault', async () => {
      const fault = await faultOf(protocol.create(await refusedUrl()).run(callOf(), listener));
      expect(fault.kind).toBe('network');
    });

    test('before any answer, by a lost connection, is a network fault', async () => {
      upstream.willReply((exchange) => exchange.cut());
      expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('network');
    });
  });

  describe('an abort', () => {
    test('before the start sends nothing', async () => {
      const call = callOf({ signal: AbortSignal.abort() });
      expect((await faultOf(provider.run(call, listener))).kind).toBe('aborted');
      expect(upstream.requests).toHaveLength(0);
    });

    test('before the answer closes the connection', async () => {
      const { exchange, reply } = underControl();
      upstream.willReply(reply);
      const controller = new AbortController();
      const run = faultOf(provider.run(callOf({ signal: controller.signal }), listener));
      const { disconnected } = await exchange;
      controller.abort();
      expect((await run).kind).toBe('aborted');
      await disconnected;
    });

    test('in the middle of the stream closes the connection', async () => {
      const { exchange, reply } = underControl();
      upstream.willReply(reply);
      const controller = new AbortController();
      const first = Promise.withResolvers<void>();
      listener.text = () => {
        first.resolve();
        return undefined;
      };
      const run = faultOf(provider.run(callOf({ signal: controller.signal }), listener));
      (await exchange).write(protocol.textEvent('x'));
      await first.promise;
      controller.abort();
      expect((await run).kind).toBe('aborted');
      await (await exchange).disconnected;
    });

    test('while the listener is busy ends the call', async () => {
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
  });

  test('one failed call leaves the provider fit for the next', async () => {
    upstream.willReply(sendStatus(500, 'broken'), sendEvents(protocol.events));
    await faultOf(provider.run(callOf(), listener));
    await expect(provider.run(callOf(), listener)).resolves.toBe('stop');
  });
});

describe.each(PROTOCOLS.filter(({ name }) => name !== 'google'))('$name, on our own fetch', (protocol) => {
  test.each([301, 302, 307, 308])('a redirect (%i) is a failure and not followed', async (status) => {
    const elsewhere = await startFakeUpstream();
    upstream.willReply(sendStatus(status, '', { location: `${elsewhere.url}/steal` }));
    expect((await faultOf(protocol.create(upstream.url).run(callOf(), listener))).kind).toBe('bad_request');
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });

  test.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '7', 'retry-after-ms': '1500' }, 1.5],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' }, 30],
    [{ 'retry-after': 'soon' }, undefined],
  ])('a 429 with %j asks to wait %p seconds', async (headers, seconds) => {
    upstream.willReply(sendStatus(429, protocol.errorBody('slow down'), headers));
    const fault = await faultOf(protocol.create(upstream.url).run(callOf(), listener));
    expect(fault).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: seconds });
  });

  test('calls one after the other share one connection', async () => {
    const provider = protocol.create(upstream.url);
    upstream.willReply(sendEvents(protocol.events), sendEvents(protocol.events));
    await provider.run(callOf(), listener);
    await provider.run(callOf(), listener);
    expect(upstream.connections).toBe(1);
  });

  test('is finished by its last event, also when the server keeps the response open', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const run = protocol.create(upstream.url).run(callOf(), listener);
    (await exchange).write(protocol.events);
    await expect(run).resolves.toBe('stop');
    await (await exchange).disconnected;
  });

  test('comments and unknown events are no events', async () => {
    upstream.willReply(sendEvents(`: hello\n\nevent: news\ndata: {"type":"news"}\n\n${protocol.events}`));
    await expect(protocol.create(upstream.url).run(callOf(), listener)).resolves.toBe('stop');
    expect(listener.texts).toEqual(FIXTURE_TEXTS);
  });
});
