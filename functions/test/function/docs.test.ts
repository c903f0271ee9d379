import { type FunctionServer, startFunctionServer } from './function-server';

/** The reference page of the built function: served whole, and asking nobody else for anything. */

let server: FunctionServer;
beforeAll(async () => {
  server = await startFunctionServer();
});
afterAll(() => server.stop());

async function get(path: string): Promise<{ status: number; type: string; policy: string; text: string }> {
  const { status, headers, ...reply } = await fetchText(path);
  return {
    status,
    type: headers.get('content-type') ?? '',
    policy: headers.get('content-security-policy') ?? '',
    text: reply.text,
  };
}

async function fetchText(path: string): Promise<{ status: number; headers: Headers; text: string }> {
  const reply = await fetch(server.baseUrl + path);
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

describe('GET /docs', () => {
  it('is a page without a script or a style of its own, whose parts are all served', async () => {
    const page = await get('/docs');
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|style=/);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(parts).toEqual(expect.arrayContaining(['docs/reference.js', 'docs/swagger-ui.css', 'v1/openapi.json']));
    for (const part of parts) {
      const { href } = new URL(part, `${server.baseUrl}/docs`);
      expect(href).toContain(server.baseUrl);
      const reply = await get(href.slice(server.baseUrl.length));
      expect([part, reply.status, reply.text.length > 100]).toEqual([part, 200, true]);
    }
  });

  it('tells browsers to ask no other address and to run nothing that is written in the page', async () => {
    const { policy } = await get('/docs');
    const rules = Object.fromEntries(policy.split('; ').map((rule) => rule.split(/ (.*)/, 2)));
    expect(rules).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    });
    expect(policy).not.toMatch(/https?:|\*/);
  });

  it('shows the description of this server, and sends it to no validator', async () => {
    const { text, type } = await get('/docs/reference.js');
    expect(type).toBe('text/javascript; charset=utf-8');
    expect(text).toContain("url: 'v1/openapi.json'");
    expect(text).toContain('validatorUrl: null');
  });

  it('sends the renderer once to a client that keeps it', async () => {
    const { headers } = await fetchText('/docs/swagger-ui-bundle.js');
    const held = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await fetch(`${server.baseUrl}/docs/swagger-ui-bundle.js`, { headers: held });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(['/docs/LICENSE', '/docs/../index.js', '/docs/%2e%2e/index.js', '/docs/index.html'])(
    'no other file is served: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
