import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ModelProvider, ProviderCall } from '../../src/models/model';
import { errorBody } from '../support/api-errors';
import { type App, bearer, CHAT, CHAT_PATH, startApp } from '../support/app';
import { startFakeUpstream } from '../support/fake-upstream';
import { isLongMode } from '../support/long-mode';
import { isInstalled, PROXIES, startProxy } from './proxies';

/** The settings of docs/self-hosting.md for proxies: streams go through them piece by piece, and the API is heard. */

const PIECES = ['one', 'two', 'three', 'four'].map((word) => `${word} `);
const MIB = 2 ** 20;

/** A model that writes a piece each time it is told to. */
function toldModel() {
  const gates = PIECES.map(() => Promise.withResolvers<void>());
  const { promise: called, resolve: isCalled } = Promise.withResolvers<ProviderCall>();
  const provider: ModelProvider = {
    run: async (call, listener) => {
      isCalled(call);
      for (const [index, piece] of PIECES.entries()) {
        await gates[index]?.promise;
        await listener.text(piece);
      }
      return 'stop';
    },
  };
  return { provider, called, write: (index: number) => gates[index]?.resolve() };
}

for (const proxy of PROXIES) {
  // In the long mode alone, which CI does not run: a proxy is not among what it installs.
  const describeProxy = isLongMode && isInstalled(proxy) ? describe : describe.skip;
  describeProxy(`${proxy.program} with its documented settings`, () => {
    let api: App | undefined;
    let front: Awaited<ReturnType<typeof startProxy>>;
    const begin = async (apiPort: number): Promise<void> => {
      front = await startProxy(proxy, apiPort);
    };
    const beginApi = async (provider?: ModelProvider): Promise<App> => {
      api = await startApp(provider ? { provider } : {});
      await begin(Number(new URL(api.baseUrl).port));
      return api;
    };
    afterEach(async () => {
      await front.stop();
      await api?.close();
      api = undefined;
    });

    /** Sends a request over TLS through the proxy. */
    function send(body: string, headers: Record<string, string> = {}) {
      const { port, certificate } = front;
      const place = {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        ca: readFileSync(certificate),
        path: CHAT_PATH,
      };
      const sent = request({
        ...place,
        method: 'POST',
        headers: { host: 'localhost', ...bearer(api?.key ?? ''), ...headers },
      });
      const replied = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.end(body);
      return { replied: replied.then(([response]) => response), leave: () => sent.destroy() };
    }
    const stream = () => send(JSON.stringify({ ...CHAT, stream: true }));

    it('passes a stream piece by piece: each is with the client before the next is written', async () => {
      const model = toldModel();
      await beginApi(model.provider);
      const { replied } = stream();
      await model.called;
      model.write(0);
      const response = await replied;
      response.setEncoding('utf8');
      const pieces = response[Symbol.asyncIterator]();
      let seen = '';
      for (const [index, piece] of PIECES.entries()) {
        model.write(index);
        while (!seen.includes(piece)) seen += (await pieces.next()).value;
      }
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) seen += next.value;
      expect(seen).toMatch(/data: \[DONE\]\n\n$/);
    });

    it('ends the run of a client that leaves', async () => {
      const model = toldModel();
      await beginApi(model.provider);
      const { replied, leave } = stream();
      const { signal } = await model.called;
      model.write(0);
      const response = await replied;
      response.on('error', () => undefined);
      await once(response, 'data');
      const stopped = once(signal, 'abort');
      leave();
      await stopped;
      for (const index of PIECES.keys()) model.write(index);
    });

    it('lets the API itself say that a body is too large', async () => {
      await beginApi();
      const response = await send('x'.repeat(4.5 * MIB)).replied;
      expect([response.statusCode, JSON.parse(await text(response))]).toEqual([
        413,
        errorBody('Request body too large: at most 4 MiB', 'invalid_request_error'),
      ]);
    });

    it('replaces what a client says of its own address', async () => {
      const upstream = await startFakeUpstream();
      await begin(Number(new URL(upstream.url).port));
      await send('{}', { 'x-forwarded-for': '203.0.113.7' }).replied.then(text);
      expect(upstream.requests.map(({ headers }) => headers['x-forwarded-for'])).toEqual(['127.0.0.1']);
      await upstream.close();
    });
  });
}
