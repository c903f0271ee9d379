import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The addresses of Google that the Firebase CLI's modules let themselves be pointed away from. */
const ORIGINS = [
  'CLOUD_SECRET_MANAGER_URL',
  'FIREBASE_SERVICE_USAGE_URL',
  'FIREBASE_RESOURCEMANAGER_URL',
  'FIREBASE_CLOUDBILLING_URL',
  'FIRESTORE_URL',
  'CLOUD_RUN_URL',
  'ARTIFACT_REGISTRY_DOMAIN',
  'FIREBASE_TOKEN_URL',
  'FIREBASE_HOSTING_API_URL',
];

type Json = Record<string, unknown>;
type Body = { payload?: { data: string }; permissions?: string[]; traffic?: Json[]; cleanupPolicies?: Json };

/** What a project holds. */
export interface GoogleProject {
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

/** A small stand-in for the parts of Google that a deployment asks, in their wire format, over one project. */
export async function startGoogle(project: GoogleProject) {
  const writes: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = new URL(request.url ?? '', 'http://google').pathname;
    if (request.method !== 'GET' && path.startsWith('/v')) writes.push(`${request.method} ${path}`);
    const [status, answer] = answerTo(`${request.method} ${path}`, project, { path, body, request });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { ...Object.fromEntries(ORIGINS.map((name) => [name, origin])), FIREBASE_TOKEN: 'refresh-token' },
    /** What was changed; permissions are asked for with POST as well. */
    writes: () => writes.filter((line) => !line.endsWith(':testIamPermissions')),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const sent = await text(request);
  return request.headers['content-type']?.includes('json') && sent !== '' ? (JSON.parse(sent) as Body) : {};
}

interface Asked {
  readonly path: string;
  readonly body: Body;
  readonly request: IncomingMessage;
}

type Answer = [number, unknown];

const NOT_FOUND: Answer = [404, { error: { code: 404, message: 'not found', status: 'NOT_FOUND' } }];
const REFUSED: Answer = [403, { error: { code: 403, message: 'denied', status: 'PERMISSION_DENIED' } }];

const ROUTES: readonly [RegExp, (project: GoogleProject, asked: Asked) => Answer][] = [
  [/GET \/v1\/projects\/[^/:]+$/, ({ exists }) => (exists ? [200, { lifecycleState: 'ACTIVE' }] : REFUSED)],
  [/:testIamPermissions$/, permissions],
  [/GET .*\/billingInfo$/, ({ billingEnabled }) => [200, { billingEnabled }]],
  [/GET .*\/databases\/\(default\)$/, ({ databaseLocation: locationId }) => found(locationId && { locationId })],
  [/\/secrets(\/\w+)?(\/versions\/latest:access|\/versions|:addVersion)?$/, secrets],
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
  return route ? route[1](project, asked) : [200, { access_token: 'token', expires_in: 3600, state: 'ENABLED' }];
}

function siteNamed(name: string, index: number): Json {
  const type = index === 0 ? 'DEFAULT_SITE' : 'USER_SITE';
  return { name: `projects/1/sites/${name}`, type, defaultUrl: `https://${name}.web.app` };
}

function releases({ sites }: GoogleProject, { path }: Asked): Answer {
  const message = sites[/\/sites\/([\w-]+)\//.exec(path)?.[1] ?? ''];
  return [200, message === undefined ? {} : { releases: [{ name: 'newest', message }] }];
}

function found(value: unknown): Answer {
  return value ? [200, value] : NOT_FOUND;
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
  return [
    200,
    { name: path.endsWith(':addVersion') ? `${resource}/versions/${versions.length}` : resource, state: 'ENABLED' },
  ];
}
