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

  test.each([
    ['at once', sendEvents(protocol.events)],
    ['a byte at a time', sendBytewise(protocol.events)],
    ['a byte at a time with CRLF', sendBytewise(withCrlf(protocol.events))],
    ['behind comments and unknown events', sendEvents(`: hi\n\nevent: n\ndata: {"type":"n"}\n\n${protocol.events}`)],
  ])('text arrives piece by piece, in order and unchanged: sent %s', async (_, reply) => {
    upstream.willReply(reply);
    await expect(provider.run(callOf(), listener)).resolves.toBe('stop');
    expect(listener.texts).toEqual(FIXTURE_TEXTS);
  });

  test('text is not passed on while the listener is busy, and none is lost', async () => {
    const busy = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    listener.text = (delta) => {
      listener.texts.push(delta);
      first.resolve();
      return listener.texts.length === 1 ? busy.promise : undefined;
    };
    upstream.willReply(sendEvents(protocol.textEvent('one ') + protocol.textEvent('two ') + protocol.events));
    const run = provider.run(callOf(), listener);
    await first.promise;
    // All events came in one piece, so whatever does not wait is handed over in this very turn of the event loop.
    await new Promise(setImmediate);
    expect(listener.texts).toEqual(['one ']);
    busy.resolve();
    await run;
    expect(listener.texts).toEqual(['one ', 'two ', ...FIXTURE_TEXTS]);
  });

  test.each([
    ['ends early', protocol.textEvent('half'), 'network'],
    ['ends in the middle of an event', protocol.textEvent('half') + protocol.textEvent('cut').slice(0, -8), 'network'],
    ['reports an error', protocol.textEvent('half') + protocol.overloadedEvent, 'overloaded'],
  ])('a stream that %s is a fault; the text so far was passed on', async (_, events, kind) => {
    upstream.willReply(sendEvents(events));
    const fault = await faultOf(provider.run(callOf(), listener));
    expect(fault.kind).toBe(kind);
    expect(fault.message).not.toContain('secret');
    expect(listener.texts).toEqual(['half']);
  });

  test.each([
    ['an event that is not JSON', 'data: {"choices": [oops\n\n', undefined],
    ['a listener that throws', protocol.textEvent('x'), new Error('listener broke')],
  ])('%s ends in a fault, and the connection is closed', async (_, events, thrown) => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    listener.text = () => {
      throw thrown;
    };
    const run = faultOf(provider.run(callOf(), listener));
    (await exchange).write(events);
    const { kind, cause } = await run;
    expect([kind, cause]).toEqual(['protocol', thrown]);
    await (await exchange).disconnected;
  });
});

describe.each(PROTOCOLS.filter(({ name }) => name !== 'google'))('$name', (protocol) => {
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
});
