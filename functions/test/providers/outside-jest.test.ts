import { type Reply, sendEvents, sendStatus, startFakeUpstream, underControl } from '../support/fake-upstream';
import { fixture } from '../support/protocols';
import { runInNode } from './run-in-node';

test('importing and creating the providers loads no SDK; the first call loads its own, and OpenAI’s protocol needs none', async () => {
  const loaded = await runInNode(`
    import { createAnthropicProvider } from './src/providers/anthropic/anthropic';
    import { createGoogleProvider } from './src/providers/google/google';
    import { createOpenAiProvider } from './src/providers/openai/openai';
    const sdks = ['openai', '@anthropic-ai/sdk', '@google/genai'];
    const loaded = () => sdks.filter((name) => Object.keys(require.cache).some((file) => file.includes('/' + name + '/')));
    const options = { apiKey: 'k', baseUrl: 'http://127.0.0.1:1' };
    const providers = [createOpenAiProvider(options), createAnthropicProvider(options), createGoogleProvider(options)];
    const call = { providerModel: 'm', prompt: { turns: [] }, sampling: {}, purpose: 'answer', signal: AbortSignal.abort() };
    const steps = [loaded()];
    (async () => {
      for (const provider of providers) {
        await provider.run(call, { text: () => undefined, usage() {}, alive() {} }).catch(() => undefined);
        steps.push(loaded());
      }
      console.log(JSON.stringify(steps));
    })();
  `);
  const [anthropic, google] = ['@anthropic-ai/sdk', '@google/genai'];
  expect(loaded).toEqual([[], [], [anthropic], [anthropic, google]]);
});

test('inside a domain, as under the Functions Framework, the stream’s events stay outside of it', async () => {
  const upstream = await startFakeUpstream();
  const { exchange, reply } = underControl();
  const begin: Reply = (begun) => {
    begun.begin(200, { 'content-type': 'text/event-stream' });
    return reply(begun);
  };
  // The stream is read before its first byte is sent: what is there already would be read in the reader's own domain.
  const go: Reply = async (second) => {
    (await exchange).end(fixture('openai.chunks.txt'));
    second.end();
  };
  upstream.willReply(begin, go);
  const report = await runInNode(`
    import domain from 'node:domain';
    import { upstreamFetch, upstreamStream } from './src/providers/transport/upstream-fetch';
    const outer = domain.create();
    const inner = domain.create();
    outer.run(() => inner.run(async () => {
      const fetching = upstreamFetch(${JSON.stringify(upstream.url)}, { method: 'POST', body: '{}' });
      const afterCall = [process.domain === inner, domain._stack.length];
      const stream = upstreamStream(await fetching);
      const afterAwait = process.domain === inner;
      stream.once('data', () => console.log(JSON.stringify({
        afterCall, afterAwait, inData: process.domain ?? null, bound: stream.domain ?? null,
      })));
      await fetch(${JSON.stringify(upstream.url)});
    }));
  `);
  await upstream.close();
  expect(report).toEqual({ afterCall: [true, 2], afterAwait: true, inData: null, bound: null });
});

test('an SDK’s own timer ends in a timeout fault and closes the connection', async () => {
  const upstream = await startFakeUpstream();
  const anthropic = underControl();
  upstream.willReply(anthropic.reply);
  const kind = await runInNode(`
    import { Anthropic } from '@anthropic-ai/sdk';
    import { toModelFault } from './src/providers/transport/provider-fault';
    import { upstreamFetch } from './src/providers/transport/upstream-fetch';
    const options = { apiKey: 'k', baseURL: ${JSON.stringify(upstream.url)}, fetch: upstreamFetch, maxRetries: 0, timeout: 400 };
    const body = { model: 'm', max_tokens: 1, messages: [], stream: true };
    const { signal } = new AbortController();
    const kindOf = (run, sdk) => run.asResponse().then(() => 'none', (error) => toModelFault(error, { signal, sdk }).kind);
    (async () => {
      console.log(JSON.stringify(await kindOf(new Anthropic(options).messages.create(body), Anthropic)));
    })();
  `);
  expect(kind).toBe('timeout');
  await (await anthropic.exchange).disconnected;
  await upstream.close();
});

test('the failures of a call never become unhandled rejections', async () => {
  const upstream = await startFakeUpstream();
  const cutSocket: Reply = (exchange) => exchange.cut();
  const cutStream = sendEvents(fixture('google.chunks.txt').slice(0, 400));
  const noJson = sendEvents('data: {oops\n\n');
  for (let provider = 0; provider < 3; provider += 1) {
    upstream.willReply(cutSocket, cutStream, noJson, sendStatus(500, 'broken'));
  }
  const report = await runInNode(`
    import { createAnthropicProvider } from './src/providers/anthropic/anthropic';
    import { createGoogleProvider } from './src/providers/google/google';
    import { createOpenAiProvider } from './src/providers/openai/openai';
    let unhandled = 0;
    process.on('unhandledRejection', () => { unhandled += 1; });
    const options = { apiKey: 'k', baseUrl: ${JSON.stringify(upstream.url)} };
    const call = { providerModel: 'm', prompt: { turns: [{ role: 'user', text: 'x' }] }, sampling: {}, purpose: 'answer', signal: new AbortController().signal };
    (async () => {
      let faults = 0;
      for (const create of [createOpenAiProvider, createAnthropicProvider, createGoogleProvider]) {
        for (let round = 0; round < 4; round += 1) {
          await create(options).run(call, { text: () => undefined, usage() {}, alive() {} }).catch(() => { faults += 1; });
          await new Promise(setImmediate);
        }
      }
      console.log(JSON.stringify({ faults, unhandled }));
    })();
  `);
  await upstream.close();
  expect(report).toEqual({ faults: 12, unhandled: 0 });
});
