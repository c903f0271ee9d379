import { type Reply, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { fixture } from '../support/protocols';
import { runInNode } from './run-in-node';

test('importing and creating the providers loads no SDK; the first call loads its own', async () => {
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
  const [openai, anthropic, google] = ['openai', '@anthropic-ai/sdk', '@google/genai'];
  expect(loaded).toEqual([[], [openai], [openai, anthropic], [openai, anthropic, google]]);
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
