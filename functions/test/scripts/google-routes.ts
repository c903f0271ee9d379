export type Json = Record<string, unknown>;

/** The state of a project. */
export interface GoogleProject {
  readonly id: string;
  readonly number: string;
  exists: boolean;
  billingEnabled: boolean;
  databaseLocation?: string;
  /** Collections that have documents. */
  documents: string[];
  /** The values of a secret's versions, oldest first; a secret without a version is what an interruption leaves. */
  secrets: Record<string, string[]>;
  repository?: Json;
  service?: Json;
  revisions: Json[];
  /** The Hosting sites by their names, the project's own first, each with the message of its last release, if it has one. */
  sites: Record<string, string | undefined>;
  functions: Json[];
  jobs: Json[];
  /** The text of the Firestore rules that are released. */
  rules?: string;
  /** The rules that were uploaded, to be released. */
  uploadedRules: string[];
  indexes: Json[];
  fields: Json[];
  /** Whom each service of Cloud Run answers. */
  invokers: Record<string, unknown>;
  /** Routes of monitoring. */
  metrics: Json[];
  policies: Json[];
  dashboards: Json[];
}

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
  /** The address of the stand-in. */
  readonly origin: string;
}

/** A value that may not be seen; one that is undefined is not there. */
const REFUSED = Symbol('refused');
/** An operation that has ended at once. */
const DONE = { name: 'operations/done', done: true, response: {} };

/** Answers to requests of a method and path, made of what a project holds. */
const ROUTES: readonly (readonly [RegExp, (project: GoogleProject, asked: Asked) => unknown])[] = [
  // The project, and what its owner may do there.
  [
    /GET \/v1\/projects\/[^/:]+$/,
    ({ exists, number }) => (exists ? { lifecycleState: 'ACTIVE', projectNumber: number } : REFUSED),
  ],
  [/GET \/v1beta1\/projects\/[^/:]+$/, ({ id, number }) => ({ projectId: id, projectNumber: number })],
  [/GET .*\/billingInfo$/, ({ billingEnabled }) => ({ billingEnabled })],
  [/GET \/compute\/v1\//, ({ number }) => ({ defaultServiceAccount: computeAccount(number) })],
  [/GET .*\/adminSdkConfig$/, ({ id }) => ({ projectId: id })],
  [/:testIamPermissions$/, (_, { body }) => body],
  [
    /POST \/v1\/projects\/[^/]+:getIamPolicy$/,
    ({ number }) => ({ bindings: [{ role: 'roles/editor', members: [`serviceAccount:${computeAccount(number)}`] }] }),
  ],
  [/\/secrets(\/\w+)?(\/versions\/latest(:access)?|\/versions|:addVersion)?$/, secret],
  [/GET .*\/repositories\/gcf-artifacts$/, ({ repository }) => repository],
  [/PATCH .*\/repositories\/gcf-artifacts$/, ({ repository }, { body }) => Object.assign(repository ?? {}, body)],
  // Functions, and the services and jobs that are made of them.
  [/GET \/v1\/.*\/locations\/-\/functions$/, () => ({})],
  [/GET \/v2\/.*\/locations\/-\/functions$/, ({ functions }) => ({ functions })],
  [/:generateUploadUrl$/, (_, { origin }) => ({ uploadUrl: `${origin}/upload`, storageSource: { bucket: 'sources' } })],
  [/POST \/v2\/.*\/functions$/, createFunction],
  [/PATCH \/v2\/.*\/functions\/[\w-]+$/, updateFunction],
  [/DELETE \/v2\/.*\/functions\/[\w-]+$/, ({ functions }, { path }) => removed(functions, path)],
  [/GET \/v2\/operations\/done$/, ({ service }) => ({ done: true, response: service })],
  [
    /\/v2\/operations\/[\w-]+$/,
    ({ functions }, { path }) => ({ ...DONE, response: named(functions, path.replace(/.*\//, '/functions/')) }),
  ],
  [/\/operations\/done$/, () => DONE],
  [
    /\/services\/[\w-]+:setIamPolicy$/,
    ({ invokers }, { path, body }) => Object.assign(invokers, { [serviceOf(path)]: body['policy'] }),
  ],
  [/\/services\/[\w-]+:getIamPolicy$/, ({ invokers }, { path }) => invokers[serviceOf(path)] ?? {}],
  [/GET .*\/services\/api$/, ({ service }) => service],
  [/GET .*\/services\/api\/revisions$/, ({ revisions }) => ({ revisions })],
  [
    /PATCH .*\/services\/api$/,
    ({ service }, { body }) =>
      Object.assign(service ?? {}, { traffic: body['traffic'] }) && { name: 'operations/done' },
  ],
  [/(GET|PATCH) .*\/jobs\/[\w-]+$/, ({ jobs }, { path }) => jobs.find(({ name }) => path.endsWith(String(name)))],
  [/POST .*\/jobs$/, ({ jobs }, { body }) => jobs[jobs.push(body) - 1]],
  // Hosting.
  [
    /GET .*\/sites\/[\w-]+\/channels\/live\/releases$/,
    ({ sites }, { path }) => {
      const message = sites[/\/sites\/([\w-]+)\//.exec(path)?.[1] ?? ''];
      return message === undefined ? {} : { releases: [{ name: 'newest', message }] };
    },
  ],
  // Firestore: its database, rules and indexes.
  [/GET .*\/databases\/\(default\)$/, ({ databaseLocation: locationId }) => locationId && { locationId }],
  [
    /POST .*\/databases$/,
    (project, { body }) => Object.assign(project, { databaseLocation: String(body['locationId']) }) && DONE,
  ],
  [/:listCollectionIds$/, ({ documents }) => ({ collectionIds: documents })],
  [/GET .*\/releases$/, (project) => ({ releases: [released(project)].filter(Boolean) })],
  [/GET .*\/releases\/cloud\.firestore$/, released],
  [
    /GET .*\/rulesets\/released$/,
    ({ rules: content }) => ({ source: { files: [{ name: 'firestore.rules', content }] } }),
  ],
  [
    /POST .*\/rulesets$/,
    ({ id, uploadedRules }, { body }) => {
      const { source } = body as { source?: { files: { content: string }[] } };
      return { name: `projects/${id}/rulesets/${uploadedRules.push(source?.files[0]?.content ?? '')}` };
    },
  ],
  [/PATCH .*\/releases\/cloud\.firestore$/, (project) => (project.rules === undefined ? undefined : release(project))],
  [/POST .*\/releases$/, release],
  [/GET .*\/collectionGroups\/-\/indexes$/, ({ indexes }) => ({ indexes })],
  [/GET .*\/collectionGroups\/-\/fields$/, ({ fields }) => ({ fields })],
  [/POST .*\/collectionGroups\/\w+\/indexes$/, addIndex],
  [
    /PATCH .*\/collectionGroups\/\w+\/fields\/.+$/,
    ({ fields }, { path, body }) => fields.push({ ...body, name: path.replace('/v1/', '') }) && DONE,
  ],
  [/DELETE .*\/collectionGroups\/\w+\/indexes\/\w+$/, ({ indexes }, { path }) => removed(indexes, path)],
  [/GET .*\/projects\/[\w-]+\/sites$/, ({ sites }) => ({ sites: Object.keys(sites).map(siteNamed) })],
  [/POST .*\/sites\/[\w-]+\/versions$/, (_, { path }) => ({ name: `${path.replace('/v1beta1/', '')}/1` })],
  [/:populateFiles$/, (_, { origin }) => ({ uploadRequiredHashes: [], uploadUrl: `${origin}/upload` })],
  // Cloud Logging and Cloud Monitoring.
  [/PUT .*\/metrics\/\w+$/, ({ metrics }, { body }) => metrics.push(body) && body],
  [/GET .*\/alertPolicies$/, ({ policies }) => ({ alertPolicies: policies })],
  [
    /POST .*\/alertPolicies$/,
    ({ policies }, { body }) => policies.push({ ...body, name: `alertPolicies/${policies.length}` }) && body,
  ],
  [/PATCH .*\/alertPolicies\/\d+$/, ({ policies }, { path, body }) => Object.assign(named(policies, path) ?? {}, body)],
  [/POST .*\/dashboards$/, ({ dashboards }, { body }) => dashboards.push({ ...body, etag: 'first' }) && body],
  [/GET .*\/dashboards\/[\w-]+$/, ({ dashboards }) => dashboards[0]],
  // Whatever else only has to be answered, such as signing in.
  [/./, () => ({ access_token: 'token', expires_in: 3600, state: 'ENABLED' })],
];

/** The status and the body of an answer. */
export function answerTo(line: string, project: GoogleProject, asked: Asked): readonly [number, unknown] {
  const answer = ROUTES.find(([pattern]) => pattern.test(line))?.[1](project, asked);
  if (answer === REFUSED) return [403, { error: { code: 403, message: 'denied', status: 'PERMISSION_DENIED' } }];
  if (answer) return [200, answer];
  return [404, { error: { code: 404, message: 'not found', status: 'NOT_FOUND' } }];
}

/** The account that runs what names no other. */
export function computeAccount(number: string): string {
  return `${number}-compute@developer.gserviceaccount.com`;
}

function named(resources: readonly Json[], end: string): Json | undefined {
  return resources.find(({ name }) => String(name).endsWith(end) || end.endsWith(String(name)));
}

function removed(resources: Json[], path: string) {
  resources.splice(resources.indexOf(named(resources, path) ?? {}), 1);
  return DONE;
}

function createFunction({ functions }: GoogleProject, { path, query, body }: Asked) {
  const id = query.get('functionId') ?? '';
  const parent = path.replace('/v2/', '').replace('/functions', '');
  const serviceConfig = {
    ...(body['serviceConfig'] as Json),
    service: `${parent}/services/${id}`,
    uri: `https://${id}.run.app`,
  };
  functions.push({
    ...{ ...body, name: `${parent}/functions/${id}`, state: 'ACTIVE', environment: 'GEN_2', serviceConfig },
  });
  return { name: `operations/${id}` };
}

function updateFunction({ functions }: GoogleProject, { path, body }: Asked) {
  const there = named(functions, path) ?? {};
  const serviceConfig = { ...(there['serviceConfig'] as Json), ...(body['serviceConfig'] as Json) };
  Object.assign(there, body, { serviceConfig });
  return { name: `operations/${path.split('/').at(-1)}` };
}

function serviceOf(path: string): string {
  return /\/services\/([\w-]+):/.exec(path)?.[1] ?? '';
}

function released({ id, rules }: GoogleProject): Json | undefined {
  if (rules === undefined) return undefined;
  const name = `projects/${id}/releases/cloud.firestore`;
  return { name, rulesetName: `projects/${id}/rulesets/released`, createTime: '2026-01-01T00:00:00Z' };
}

function release(project: GoogleProject) {
  const rules = project.uploadedRules.at(-1);
  if (rules !== undefined) project.rules = rules;
  return {};
}

/** Firestore adds the name of the document, in the order of the last field. */
function addIndex({ indexes }: GoogleProject, { path, body }: Asked) {
  const fields = body['fields'] as { fieldPath: string; order?: string }[];
  const last = fields.at(-1);
  const all = last?.fieldPath === '__name__' ? fields : [...fields, { fieldPath: '__name__', order: last?.order }];
  indexes.push({ ...body, fields: all, name: `${path.replace('/v1/', '')}/${indexes.length}` });
  return DONE;
}

function siteNamed(name: string, index: number): Json {
  const type = index === 0 ? 'DEFAULT_SITE' : 'USER_SITE';
  return { name: `projects/1/sites/${name}`, type, defaultUrl: `https://${name}.web.app` };
}

function secret({ secrets }: GoogleProject, { path, query, body }: Asked) {
  const name = /\/secrets\/(\w+)/.exec(path)?.[1] ?? query.get('secretId') ?? '';
  if (path.endsWith('/secrets')) secrets[name] = [];
  const versions = secrets[name];
  if (!versions || (path.endsWith('/latest') && versions.length === 0)) return undefined;
  const { payload } = body as { payload?: { data: string } };
  if (payload) versions.push(Buffer.from(payload.data, 'base64').toString());
  if (path.endsWith(':access')) return { payload: { data: Buffer.from(versions.at(-1) ?? '').toString('base64') } };
  const resource = { name: `projects/1/secrets/${name}`, state: 'ENABLED' };
  const version = (index: number) => ({ ...resource, name: `${resource.name}/versions/${index + 1}` });
  if (path.endsWith('/versions')) return { versions: [...versions.keys()].map(version) };
  return /:addVersion$|\/latest$/.test(path) ? version(versions.length - 1) : resource;
}
