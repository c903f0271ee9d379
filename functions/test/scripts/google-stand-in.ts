import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FIREBASE_TOOLS } from '../support/firebase-cli';
import { type Asked, answerTo, type GoogleProject, type Json } from './google-routes';

/** The secrets that the functions are deployed with. */
export const SECRETS = [
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'ENDPOINT_KEYS', 'KEY_PEPPER', 'ROUTER_KEY_SECRET'],
];

/** A project as Google sets it up, in no organisation. */
export function newProject(id: string): GoogleProject {
  return {
    ...{
      id,
      number: '1234567',
      exists: true,
      billingEnabled: true,
      secrets: {},
      revisions: [],
    },
    ...{ functions: [], jobs: [], uploadedRules: [], indexes: [], fields: [], documents: [], invokers: {} },
    ...{ metrics: [], policies: [], dashboards: [] },
    sites: { [id]: undefined },
  };
}

/**
 * A small stand-in for the parts of Google that a deployment asks, in their wire format, over one project. It is the proxy of
 * whoever asks as well: what is meant for other addresses is refused, and told by `outside`.
 */
export async function startGoogle(project: GoogleProject) {
  const answered: { readonly line: string; readonly body: Json }[] = [];
  const outside: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://google');
    const path = decodeURIComponent(pathname);
    const line = `${request.method} ${path}`;
    answered.push({ line, body });
    const asked: Asked = { path, body, query, origin };
    const [status, answer] = answerTo(line, project, asked);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${address}`;
  server.on('connect', ({ url = '' }, socket) => {
    if (url !== address) outside.push(url);
    socket.write(`HTTP/1.1 ${url === address ? '200 OK' : '403 Forbidden'}\r\n\r\n`);
    if (url === address) server.emit('connection', socket);
    else socket.end();
  });
  const changes = () =>
    answered.filter(({ line }) => /^(?!GET)\w+ \/(?:v|compute)/.test(line) && !/:(test|get|list)[A-Z]/.test(line));
  return {
    env: {
      ...Object.fromEntries(originNames().map((name) => [name, origin])),
      ...{ FIREBASE_TOKEN: 'refresh-token', HTTPS_PROXY: origin },
    },
    /** Requests that changed something; permissions, policies and documents are asked for with POST as well. */
    changes,
    writes: () => changes().map(({ line }) => line),
    outside: () => [...new Set(outside)],
    forget: () => answered.splice(0),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The settings of the Firebase CLI that stand for an address of Google. */
function originNames(): string[] {
  const code = readFileSync(join(FIREBASE_TOOLS, 'lib', 'api.js'), 'utf8');
  const names = [...code.matchAll(/envOverride\("(\w+)",\s*"https:/g)].map(([, name = '']) => name);
  return [...names, 'FIREBASE_TOKEN_URL'];
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const sent = await text(request);
  return request.headers['content-type']?.includes('json') && sent !== '' ? (JSON.parse(sent) as Json) : {};
}
