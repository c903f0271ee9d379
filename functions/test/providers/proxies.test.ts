import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { during } from '../support/during';
import { sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { startForwardProxy } from '../support/forward-proxy';
import { fixture } from '../support/protocols';
import { temporaryDirectory } from '../support/temporary-directory';
import { runInNode } from './run-in-node';

/** A certificate of `localhost` that it signed itself, until 2126, with its key: a secret of nobody, for servers of tests. */
const LOCALHOST = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeq9ea5PT292k+oyc
q9AO1N0A/CY2ZQ0o2IrFNQBGUqWhRANCAARIQlEZrtyy6r4CmbkMrmHrzg1dSFCN
MYFz9Q7XZFe2u8nKsdAFGvhgbuvdcyD9mazmnyHRg2xtNiBEExBQL/OI
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUI+W3XebjrNij0ws0RJDjhhHskNkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzE5MDczOVoYDzIxMjYxMDMw
MTkwNzM5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARIQlEZrtyy6r4CmbkMrmHrzg1dSFCNMYFz9Q7XZFe2u8nKsdAFGvhg
buvdcyD9mazmnyHRg2xtNiBEExBQL/OIo2kwZzAdBgNVHQ4EFgQUDmWzgZ9gTD9+
aJ3IZQRsPGeX5y0wHwYDVR0jBBgwFoAUDmWzgZ9gTD9+aJ3IZQRsPGeX5y0wDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhAMLFzRQXazvrQY67PXhSllPPwVxTIshOIlwotXhDA6+AAiAaddIjWcRU
0URiMoitC0osh65G13FTkZy9WgS3jCg9ew==
-----END CERTIFICATE-----`,
};

/** Calls out of a network whose only way is a proxy. */

const PATHS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1beta/models/m:streamGenerateContent?alt=sse',
  '/v1/models',
  '/v1/models',
];

/** Makes each kind of call to `origin`, one after the other, in a process with these settings; prints how each ended. */
function program(origin: string): string {
  return `
    import { createAnthropicProvider } from './src/providers/anthropic/anthropic';
    import { createGoogleProvider } from './src/providers/google/google';
    import { createOpenAiProvider } from './src/providers/openai/openai';
    import { keptModels } from './src/providers/openai/server-models';
    import { probeBaseUrl } from './src/cli/base-url-probe';
    import { systemClock } from './src/lib/clock';
    const origin = ${JSON.stringify(origin)};
    const openai = createOpenAiProvider({ apiKey: 'k', baseUrl: origin + '/v1' });
    const anthropic = createAnthropicProvider({ apiKey: 'k', baseUrl: origin });
    const google = createGoogleProvider({ apiKey: 'k', baseUrl: origin });
    const searching = createOpenAiProvider({ apiKey: 'k', baseUrl: origin + '/v1' }, 'responses');
    const run = (provider, webSearch = false) => {
      const prompt = { turns: [{ role: 'user', text: 'Hi' }], ...(webSearch && { webSearch }) };
      const call = { providerModel: 'm', prompt, sampling: {}, purpose: 'answer', signal: new AbortController().signal };
      return provider.run(call, { text() {}, usage() {}, alive() {}, pending() {}, web() {} });
    };
    const kinds = [
      () => run(openai),
      () => run(searching, true),
      () => run(anthropic),
      () => run(google),
      keptModels({ baseUrl: origin + '/v1' }, { maxMs: 9_000, freshMs: 1 }, systemClock),
      () => probeBaseUrl({ OPENAI_BASE_URL: origin + '/v1' }),
    ];
    (async () => {
      for (const kind of kinds) await kind().catch(() => undefined);
      console.log('"done"');
    })();
  `;
}

describe('calls to models', () => {
  const directory = during('each', temporaryDirectory);
  const proxy = during('each', startForwardProxy);

  /** A server over TLS that closes each connection, so that every call needs one of its own. */
  async function secureServer() {
    const paths: string[] = [];
    const server = createServer(LOCALHOST, (request, response) => {
      paths.push(request.url ?? '');
      response
        .writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
        .end(fixture('openai.chunks.txt'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const certificate = join(directory.path, 'certificate.pem');
    writeFileSync(certificate, LOCALHOST.cert);
    const close = () => new Promise((resolve) => server.close(resolve));
    return { host: `localhost:${port}`, paths, env: { NODE_EXTRA_CA_CERTS: certificate }, close };
  }

  it('pass the proxy of the environment, each of them', async () => {
    const server = await secureServer();
    await runInNode(program(`https://${server.host}`), { ...server.env, ALL_PROXY: proxy.url });
    await server.close();
    expect(server.paths).toEqual(PATHS);
    expect(proxy.whatWasAsked()).toEqual(PATHS.map(() => `CONNECT ${server.host}`));
  });

  it('go past it to the hosts of NO_PROXY', async () => {
    const server = await secureServer();
    await runInNode(program(`https://${server.host}`), {
      ...server.env,
      HTTPS_PROXY: proxy.url,
      NO_PROXY: '.example, localhost',
    });
    await server.close();
    expect(server.paths).toEqual(PATHS);
    expect(proxy.asked).toEqual([]);
  });

  it('prove who they are to a proxy that wants it', async () => {
    const server = await secureServer();
    const withPassword = proxy.url.replace('http://', 'http://me:p%40ss@');
    await runInNode(program(`https://${server.host}`), { ...server.env, HTTPS_PROXY: withPassword });
    await server.close();
    const expected = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    expect(new Set(proxy.asked.map(({ authorization }) => authorization))).toEqual(new Set([expected]));
  });

  it.each([
    ['pass a proxy on this machine', () => proxy.url, true],
    ['never one elsewhere, with keys and prompts that all could read', () => 'http://proxy.example:3128', false],
  ])('over plain http %s', async (_, url, passes) => {
    const upstream = await startFakeUpstream(sendEvents(fixture('openai.chunks.txt')));
    await runInNode(program(upstream.url), { HTTP_PROXY: url() });
    await upstream.close();
    expect(upstream.requests.map(({ path }) => path)).toEqual(PATHS);
    expect(proxy.whatWasAsked()).toEqual(
      passes ? upstream.requests.map(({ method, path }) => `${method} ${upstream.url}${path}`) : [],
    );
  });
});

it('a call that a proxy refuses fails as one of the network, and says nowhere what the proxy’s password is', async () => {
  const proxy = await startForwardProxy({ refuses: '407 Proxy Authentication Required' });
  const withPassword = proxy.url.replace('http://', 'http://me:p4ssw0rd@');
  const told = await runInNode(
    `
    import { describeError } from './src/lib/describe-error';
    import { createOpenAiProvider } from './src/providers/openai/openai';
    const call = { providerModel: 'm', prompt: { turns: [] }, sampling: {}, signal: new AbortController().signal };
    createOpenAiProvider({ apiKey: 'k', baseUrl: 'https://localhost:1/v1' }).run(call, {}).catch((error) => {
      console.log(JSON.stringify([error.kind, describeError(error), error.cause.message]));
    });
  `,
    { https_proxy: withPassword },
  );
  await proxy.close();
  expect(told).toEqual(['network', expect.stringContaining('ERR_PROXY_TUNNEL'), expect.stringContaining('407')]);
  expect(JSON.stringify(told)).not.toContain('p4ssw0rd');
});

describe('calls to Google', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    type: 'service_account',
    client_email: 'somebody@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'https://securetoken.google.com/p',
    aud: 'p',
    sub: 'ann',
    iat: nowSeconds,
    exp: nowSeconds + 60,
  };
  const token = `${part({ alg: 'RS256', typ: 'JWT', kid: 'k' })}.${part(claims)}.${part({})}`;
  const CALLS = `
    import { firebaseChecks } from './src/access/firebase-sign-in';
    import { openFirestoreStore } from './src/store/firestore/firestore-store';
    import { followProxies, proxiesOf } from './src/providers/transport/proxies';
    followProxies(proxiesOf(process.env));
    (async () => {
      const { verifyIdToken } = await firebaseChecks('p')();
      await verifyIdToken(${JSON.stringify(token)}).catch(() => undefined);
      await openFirestoreStore({ projectId: 'p', limiterTime: 'server' }).getSubscription('ann').catch(() => undefined);
      process.stdout.write('"done"', () => process.exit());
    })();
  `;

  it('pass the proxy of HTTPS_PROXY: the keys of tokens and the database', async () => {
    const directory = await temporaryDirectory();
    const proxy = await startForwardProxy();
    const credentials = join(directory.path, 'account.json');
    writeFileSync(credentials, JSON.stringify(account));
    await runInNode(CALLS, { HTTPS_PROXY: proxy.url, NO_PROXY: 'a,', GOOGLE_APPLICATION_CREDENTIALS: credentials });
    await proxy.close();
    await directory.remove();
    expect([...new Set(proxy.whatWasAsked())].toSorted()).toEqual(
      ['firestore', 'www'].map((name) => `CONNECT ${name}.googleapis.com:443`),
    );
  });
});
