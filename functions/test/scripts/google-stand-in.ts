import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FIREBASE_TOOLS } from '../support/firebase-cli';
import {
  type Answer,
  type Asked,
  answerToDeployment,
  type Body,
  type Deployed,
  done,
  found,
  type Json,
  NOT_FOUND,
  nothingDeployed,
  REFUSED,
  type Route,
} from './google-deployments';

/** The secrets that the functions are deployed with. */
export const SECRETS = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'ENDPOINT_KEYS',
  'KEY_PEPPER',
  'ROUTER_KEY_SECRET',
];

/** The state of a project. */
export interface GoogleProject extends Deployed {
  exists: boolean;
  billingEnabled: boolean;
  refusedPermissions: string[];
  databaseLocation?: string;
  /** The values of a secret's versions, oldest first; a secret without a version is what an interruption leaves. */
  secrets: Record<string, string[]>;
  repository?: Json;
  service?: Json;
  revisions: Json[];
  /** The Hosting sites by their names, the project's own first, each with the message of its last release, if it has one. */
  sites: Record<string, string | undefined>;
}

export function newProject(id: string): GoogleProject {
  return {
    ...nothingDeployed(id),
    exists: true,
    billingEnabled: true,
    refusedPermissions: [],
    secrets: {},
    revisions: [],
    sites: { [id]: undefined },
  };
}

/** A request that was answered. */
export interface Answered {
  /** Its method and path. */
  readonly line: string;
  readonly body: Body;
}

/**
 * A small stand-in for the parts of Google that a deployment asks, in their wire format, over one project. It is the proxy of
 * whoever asks as well: what is meant for other addresses is refused, and told by `outside`.
 */
export async function startGoogle(project: GoogleProject) {
  const answered: Answered[] = [];
  const outside: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://google').pathname);
    const line = `${request.method} ${path}`;
    answered.push({ line, body });
    const [status, answer] = answerTo(line, project, { path, body, request, origin });
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
      FIREBASE_TOKEN: 'refresh-token',
      HTTPS_PROXY: origin,
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

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const sent = await text(request);
  return request.headers['content-type']?.includes('json') && sent !== '' ? (JSON.parse(sent) as Body) : {};
}

const ROUTES: readonly Route<GoogleProject>[] = [
  [
    /GET \/v1\/projects\/[^/:]+$/,
    ({ exists, number }) => (exists ? [200, { lifecycleState: 'ACTIVE', projectNumber: number }] : REFUSED),
  ],
  [/:testIamPermissions$/, permissions],
  [/GET .*\/billingInfo$/, ({ billingEnabled }) => [200, { billingEnabled }]],
  [/GET .*\/databases\/\(default\)$/, ({ databaseLocation: locationId }) => found(locationId && { locationId })],
  [
    /POST .*\/databases$/,
    (project, { body }) => {
      project.databaseLocation = String(body['locationId']);
      return done();
    },
  ],
  [/\/secrets(\/\w+)?(\/versions\/latest(:access)?|\/versions|:addVersion)?$/, secrets],
  [/GET .*\/repositories\/gcf-artifacts$/, ({ repository }) => found(repository)],
  [
    /PATCH .*\/repositories\/gcf-artifacts$/,
    (project, { body }) => [200, Object.assign(project.repository ?? {}, body)],
  ],
  [/GET .*\/services\/api$/, ({ service }) => found(service)],
  [/GET .*\/services\/api\/revisions$/, ({ revisions }) => [200, { revisions }]],
  [/PATCH .*\/services\/api$/, moveTraffic],
  [/GET .*\/projects\/[\w-]+\/sites$/, ({ sites }) => [200, { sites: Object.keys(sites).map(siteNamed) }]],
  [/GET .*\/sites\/[\w-]+\/channels\/live\/releases$/, releases],
  [/GET \/v2\/operations\/done$/, ({ service }) => [200, { done: true, response: service }]],
];

function answerTo(line: string, project: GoogleProject, asked: Asked): Answer {
  const route = ROUTES.find(([pattern]) => pattern.test(line));
  if (route) return route[1](project, asked);
  return (
    answerToDeployment(line, project, asked) ?? [200, { access_token: 'token', expires_in: 3600, state: 'ENABLED' }]
  );
}

function siteNamed(name: string, index: number): Json {
  const type = index === 0 ? 'DEFAULT_SITE' : 'USER_SITE';
  return { name: `projects/1/sites/${name}`, type, defaultUrl: `https://${name}.web.app` };
}

function releases({ sites }: GoogleProject, { path }: Asked): Answer {
  const message = sites[/\/sites\/([\w-]+)\//.exec(path)?.[1] ?? ''];
  return [200, message === undefined ? {} : { releases: [{ name: 'newest', message }] }];
}

function permissions({ refusedPermissions }: GoogleProject, { body }: Asked): Answer {
  return [200, { permissions: body.permissions?.filter((name) => !refusedPermissions.includes(name)) }];
}

function moveTraffic(project: GoogleProject, { body }: Asked): Answer {
  Object.assign(project.service ?? {}, { traffic: body.traffic });
  return [200, { name: 'operations/done' }];
}

function secrets({ secrets: kept }: GoogleProject, { path, body, request }: Asked): Answer {
  const name =
    /\/secrets\/(\w+)/.exec(path)?.[1] ?? new URL(request.url ?? '', 'http://google').searchParams.get('secretId');
  if (!name) return NOT_FOUND;
  const resource = `projects/1/secrets/${name}`;
  if (path.endsWith('/secrets')) kept[name] = [];
  const versions = kept[name];
  if (!versions) return NOT_FOUND;
  if (path.endsWith(':addVersion')) versions.push(Buffer.from(body.payload?.data ?? '', 'base64').toString());
  if (path.endsWith(':access'))
    return [200, { payload: { data: Buffer.from(versions.at(-1) ?? '').toString('base64') } }];
  if (path.endsWith('/versions')) {
    return [
      200,
      { versions: versions.map((_, index) => ({ name: `${resource}/versions/${index + 1}`, state: 'ENABLED' })) },
    ];
  }
  if (path.endsWith('/latest') && versions.length === 0) return NOT_FOUND;
  const isOfVersion = path.endsWith(':addVersion') || path.endsWith('/latest');
  return [200, { name: isOfVersion ? `${resource}/versions/${versions.length}` : resource, state: 'ENABLED' }];
}
