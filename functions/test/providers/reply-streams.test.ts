import type { ModelProvider } from '../../src/models/model';
import { type FakeUpstream, sendBytewise, sendEvents, startFakeUpstream, underControl } from '../support/fake-upstream';
import { FIXTURE_TEXTS, PROTOCOLS, withCrlf } from '../support/protocols';
import { callOf, faultOf, RecordingListener } from '../support/provider-calls';

let upstream: FakeUpstream;
let listener: RecordingListener;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  listener = new RecordingListener();
});

afterEach(() => upstream.close());

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
});

describe.each(PROTOCOLS.filter(({ name }) => name !== 'google'))('$name, on our own fetch', (protocol) => {
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
