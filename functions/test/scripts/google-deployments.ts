import type { IncomingMessage } from 'node:http';

export type Json = Record<string, unknown>;

export type Body = Json & {
  payload?: { data: string };
  permissions?: string[];
  traffic?: Json[];
  cleanupPolicies?: Json;
};

export interface Asked {
  readonly path: string;
  readonly body: Body;
  readonly request: IncomingMessage;
  /** The address of the stand-in. */
  readonly origin: string;
}

/** The status and the body. */
export type Answer = [number, unknown];

/** The answer to requests of a method and path, made of what a project holds. */
export type Route<Project> = readonly [RegExp, (project: Project, asked: Asked) => Answer];

export const NOT_FOUND: Answer = [404, { error: { code: 404, message: 'not found', status: 'NOT_FOUND' } }];
export const REFUSED: Answer = [403, { error: { code: 403, message: 'denied', status: 'PERMISSION_DENIED' } }];

export function found(value: unknown): Answer {
  return value ? [200, value] : NOT_FOUND;
}

/** An operation that has ended at once. */
export function done(response: unknown = {}): Answer {
  return [200, { name: 'operations/done', done: true, response }];
}

/** An index of several fields, or how one field is indexed, as Firestore lists it. */
export interface Indexed extends Json {
  readonly name: string;
}

/** The deployed parts of a project. */
export interface Deployed {
  readonly id: string;
  readonly number: string;
  functions: Json[];
  jobs: Json[];
  /** The text of the Firestore rules that are released. */
  rules?: string;
  /** The rules that were uploaded, to be released. */
  uploadedRules: string[];
  indexes: Indexed[];
  fields: Indexed[];
  /** Collections that have documents. */
  documents: string[];
  /** The members of each role in the project. */
  roles: Record<string, string[]>;
  /** Whom each service of Cloud Run answers. */
  invokers: Record<string, unknown>;
}

export function nothingDeployed(id: string): Deployed {
  const number = '1234567';
  return {
    ...{ id, number, functions: [], jobs: [], uploadedRules: [], indexes: [], fields: [] },
    ...{ documents: [], invokers: {} },
    // As Google sets a project up that is in no organisation.
    roles: { 'roles/editor': [`serviceAccount:${computeAccount(number)}`] },
  };
}

const ROUTES: readonly Route<Deployed>[] = [
  [/GET \/v1beta1\/projects\/[^/:]+$/, ({ id, number }) => [200, { projectId: id, projectNumber: number }]],
  [/GET \/compute\/v1\//, ({ number }) => [200, { defaultServiceAccount: computeAccount(number) }]],
  [/GET .*\/adminSdkConfig$/, ({ id }) => [200, { projectId: id }]],
  [
    /POST \/v1\/projects\/[^/]+:getIamPolicy$/,
    ({ roles }) => [200, { bindings: Object.entries(roles).map(([role, members]) => ({ role, members })) }],
  ],
  [/GET \/v1\/.*\/locations\/-\/functions$/, () => [200, {}]],
  [/GET \/v2\/.*\/locations\/-\/functions$/, ({ functions }) => [200, { functions }]],
  [
    /:generateUploadUrl$/,
    (_, { origin }) => [200, { uploadUrl: `${origin}/upload`, storageSource: { bucket: 'sources' } }],
  ],
  [/POST \/v2\/.*\/functions$/, createFunction],
  [/PATCH \/v2\/.*\/functions\/[\w-]+$/, updateFunction],
  [
    /DELETE \/v2\/.*\/functions\/[\w-]+$/,
    ({ functions }, { path }) => {
      functions.splice(
        functions.findIndex(({ name }) => path.endsWith(String(name))),
        1,
      );
      return done();
    },
  ],
  [
    /\/v2\/operations\/[\w-]+$/,
    ({ functions }, { path }) =>
      done(functions.find(({ name }) => String(name).endsWith(path.replace(/.*\//, '/functions/')))),
  ],
  [/\/operations\/done$/, () => done()],
  [
    /\/services\/[\w-]+:setIamPolicy$/,
    (project, { path, body }) => {
      project.invokers[serviceOf(path)] = body['policy'];
      return [200, {}];
    },
  ],
  [/\/services\/[\w-]+:getIamPolicy$/, ({ invokers }, { path }) => [200, invokers[serviceOf(path)] ?? {}]],
  [
    /(GET|PATCH) .*\/jobs\/[\w-]+$/,
    ({ jobs }, { path }) => found(jobs.find(({ name }) => path.endsWith(String(name)))),
  ],
  [/POST .*\/jobs$/, ({ jobs }, { body }) => [200, jobs[jobs.push(body) - 1]]],
  [/GET .*\/releases$/, (project) => [200, { releases: project.rules === undefined ? [] : [released(project)] }]],
  [
    /GET .*\/releases\/cloud\.firestore$/,
    (project) => found(project.rules === undefined ? undefined : released(project)),
  ],
  [
    /GET .*\/rulesets\/released$/,
    ({ rules }) => [200, { source: { files: [{ name: 'firestore.rules', content: rules }] } }],
  ],
  [
    /POST .*\/rulesets$/,
    ({ id, uploadedRules }, { body }) => [
      200,
      { name: `projects/${id}/rulesets/${uploadedRules.push(rulesOf(body))}` },
    ],
  ],
  [
    /PATCH .*\/releases\/cloud\.firestore$/,
    (project) => (project.rules === undefined ? found(undefined) : release(project)),
  ],
  [/POST .*\/releases$/, release],
  [/GET .*\/collectionGroups\/-\/indexes$/, ({ indexes }) => [200, { indexes }]],
  [/GET .*\/collectionGroups\/-\/fields$/, ({ fields }) => [200, { fields }]],
  [/POST .*\/collectionGroups\/\w+\/indexes$/, addIndex],
  [
    /PATCH .*\/collectionGroups\/\w+\/fields\/.+$/,
    ({ fields }, { path, body }) => {
      fields.push({ ...body, name: path.replace('/v1/', '') });
      return done();
    },
  ],
  [
    /DELETE .*\/collectionGroups\/\w+\/indexes\/\w+$/,
    ({ indexes }, { path }) => {
      indexes.splice(
        indexes.findIndex(({ name }) => path.endsWith(name)),
        1,
      );
      return done();
    },
  ],
  [/:listCollectionIds$/, ({ documents }) => [200, { collectionIds: documents }]],
  [/POST .*\/sites\/[\w-]+\/versions$/, (_, { path }) => [200, { name: `${path.replace('/v1beta1/', '')}/1` }]],
  [/:populateFiles$/, (_, { origin }) => [200, { uploadRequiredHashes: [], uploadUrl: `${origin}/upload` }]],
];

/** Undefined for what only has to be answered. */
export function answerToDeployment(line: string, project: Deployed, asked: Asked): Answer | undefined {
  return ROUTES.find(([pattern]) => pattern.test(line))?.[1](project, asked);
}

/** The account that runs what names no other. */
export function computeAccount(number: string): string {
  return `${number}-compute@developer.gserviceaccount.com`;
}

function createFunction({ functions }: Deployed, { path, body, request }: Asked): Answer {
  const id = new URL(request.url ?? '', 'http://google').searchParams.get('functionId') ?? '';
  const parent = path.replace('/v2/', '').replace('/functions', '');
  const service = `${parent}/services/${id}`;
  const created = {
    ...body,
    name: `${parent}/functions/${id}`,
    state: 'ACTIVE',
    environment: 'GEN_2',
    serviceConfig: { ...(body['serviceConfig'] as Json), service, uri: `https://${id}.run.app` },
  };
  functions.push(created);
  return [200, { name: `operations/${id}` }];
}

function updateFunction({ functions }: Deployed, { path, body }: Asked): Answer {
  const there = functions.find(({ name }) => path.endsWith(String(name))) ?? {};
  const serviceConfig = { ...(there['serviceConfig'] as Json), ...(body['serviceConfig'] as Json) };
  Object.assign(there, body, { serviceConfig });
  return [200, { name: `operations/${path.split('/').at(-1)}` }];
}

function released({ id }: Deployed): Json {
  const name = `projects/${id}/releases/cloud.firestore`;
  return { name, rulesetName: `projects/${id}/rulesets/released`, createTime: '2026-01-01T00:00:00Z' };
}

function serviceOf(path: string): string {
  return /\/services\/([\w-]+):/.exec(path)?.[1] ?? '';
}

function rulesOf(body: Body): string {
  return (body as { source?: { files: { content: string }[] } }).source?.files[0]?.content ?? '';
}

function release(project: Deployed): Answer {
  const rules = project.uploadedRules.at(-1);
  if (rules !== undefined) project.rules = rules;
  return [200, {}];
}

/** Firestore adds the name of the document, in the order of the last field. */
function addIndex({ indexes }: Deployed, { path, body }: Asked): Answer {
  const fields = body['fields'] as { fieldPath: string; order?: string }[];
  const last = fields.at(-1);
  const all = last?.fieldPath === '__name__' ? fields : [...fields, { fieldPath: '__name__', order: last?.order }];
  indexes.push({ ...body, fields: all, name: `${path.replace('/v1/', '')}/${indexes.length}` });
  return done();
}
