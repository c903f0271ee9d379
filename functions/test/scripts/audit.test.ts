import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/temporary-directory';

/** `npm run audit` against a registry that knows of one weak package. */

const FUNCTIONS = join(__dirname, '..', '..');

let server: Server | undefined;
afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  server = undefined;
});

/** A registry that reports on `weak`; without one it takes no questions, as mirrors do. */
async function registry(weak?: string): Promise<string> {
  const advisory = { id: 1, url: 'https://example.com/1', title: 'Leaks', severity: 'high', vulnerable_versions: '*' };
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isQuestion = request.method === 'POST' && weak !== undefined;
      response.writeHead(isQuestion ? 200 : 405, { 'content-type': 'application/json', connection: 'close' });
      response.end(isQuestion ? JSON.stringify({ [weak]: [advisory] }) : '{}');
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function audit(url: string): Promise<{ readonly code: number; readonly output: string }> {
  const directory = await temporaryDirectory();
  const npm = { npm_config_registry: url, npm_config_cache: directory.path, npm_config_fetch_retries: '0' };
  const env = { PATH: process.env['PATH'], HOME: directory.path, ...npm };
  const ended = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, ['scripts/audit.mjs'], { cwd: FUNCTIONS, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
  await directory.remove();
  return ended;
}

describe('the audit', () => {
  it.each([
    ['installed in production', 'unpdf'],
    ['installed because another is', 'google-auth-library'],
    ['only in the bundle', 'zod'],
    ['only in a file that the first call loads', '@google/genai'],
    ['in such a file because another is', 'p-retry'],
  ])('fails for a package that is %s', async (_, name) => {
    const { code, output } = await audit(await registry(name));
    expect(output).toContain(`${name} (high): Leaks https://example.com/1`);
    expect(code).toBe(1);
  });

  it.each([
    ['a tool of developers', 'jest'],
    ['what a bundled package depends on without its code being in the bundle', 'ws'],
  ])('passes for %s', async (_, name) => {
    const { code, output } = await audit(await registry(name));
    expect(output).toContain('0 of them have known weaknesses');
    expect(code).toBe(0);
  });

  it.each([
    ['takes no questions', registry, '405 Method Not Allowed'],
    ['is not there', () => Promise.resolve('http://127.0.0.1:1/'), 'ECONNREFUSED'],
  ])('says in one line that nobody knows, and how to ask another, when the registry %s', async (_, url, why) => {
    const { code, output } = await audit(await url());
    const [line = '', advice, ...more] = output.trim().split('\n');
    expect(line).toMatch(/^The registry could not be asked about the \d+ packages that are deployed: /);
    expect(line).toContain(why);
    expect(advice).toBe('To ask another: npm_config_registry=URL npm run audit');
    expect(more).toEqual([]);
    expect(code).toBe(2);
  });
});
