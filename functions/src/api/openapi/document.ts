/*
 * `GET /v1/openapi.json`: the operations in OpenAPI 3.1, for machines, made of their own schemas when it is first asked for.
 */
import * as z from 'zod';
import type { OpenRoute } from '../../http/route';
import { type StaticReply, staticReply } from '../../http/static-reply';
import { ChatCompletionChunk, StreamError } from '../answer/chunks';
import { OPERATIONS } from '../operations';
import { type Described, placeOf } from '../shared/operation';
import type { JsonOf, JsonSchema } from '../shared/schemas';
import { type FailureRef, failureWriter, HEADERS, headerRefs, rateLimit } from './failures';

const TAGS = {
  Answers: 'Several models answer, one arbiter replies.',
  Anthropic: 'The same for clients of Anthropic, in its form.',
  Evaluations: 'Judge models score given responses.',
  Models: 'What can be asked.',
  MCP: 'For clients of the Model Context Protocol.',
  Account: 'What was used.',
  OpenAI: "The protocols of OpenAI, as OpenAI's own server speaks them.",
  Server: 'For anybody, without a key.',
  Dashboard: 'For users who are signed in, and the page of the dashboard. Not where the dashboard is off.',
};

const SECURITY = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the service, `sk-ens_…`: `Authorization: Bearer KEY`.',
  },
  signIn: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An ID token of Firebase Auth. A server for its own machine alone wants the cookie of its link instead, and the header `x-dashboard: 1` with all that is not read.',
  },
};

const IDEMPOTENCY = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/)
  .describe(
    'Made up by the client, anew for each question: however often it is sent, the question is asked and paid once.',
  );

/** `GET /v1/openapi.json`, made when it is first asked for. */
export function openApi(): OpenRoute {
  let reply: StaticReply | undefined;
  return {
    path: '/v1/openapi.json',
    handle: async () => {
      reply ??= staticReply(Buffer.from(JSON.stringify(openApiDocument())), 'application/json; charset=utf-8');
      return reply;
    },
  };
}

/** Description of the API in OpenAPI 3.1. */
function openApiDocument(): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const jsonOf = schemaWriter(schemas);
  const responses: Record<string, JsonSchema> = {};
  const failure = failureWriter(responses, jsonOf);
  const paths: Record<string, JsonSchema> = {};
  for (const operation of OPERATIONS) {
    const { method, path } = placeOf(operation);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationBody(operation, jsonOf, failure) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ensemble API',
      version: '1.0.0',
      summary: 'OpenAI-compatible: several models answer, one arbiter replies.',
      description:
        'Send the key as `Authorization: Bearer KEY`; below `/v1` no other header is read for one, elsewhere `x-api-key` is. What the schemas allow is accepted. Beyond them, null counts as absent and unknown fields are ignored.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes: SECURITY, schemas, responses, headers: HEADERS },
  };
}

/** Writes zod schemas as JSON Schemas; those with a name of their own go to `named`. */
function schemaWriter(named: Record<string, JsonSchema>): JsonOf {
  const written = new Map<z.ZodType, JsonSchema>();
  const jsonOf: JsonOf = (schema) => {
    const known = written.get(schema);
    if (known) return known;
    const json = z.toJSONSchema(z.object({ schema }), {
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => rewrite(jsonSchema),
    });
    const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { properties, $defs } = JSON.parse(text) as { properties: { schema: JsonSchema }; $defs?: typeof named };
    Object.assign(named, $defs);
    written.set(schema, properties.schema);
    return properties.schema;
  };
  return jsonOf;

  function rewrite(json: Record<string, unknown>): void {
    const { form, description } = json;
    if (typeof form === 'function') {
      for (const key of Object.keys(json)) delete json[key];
      Object.assign(json, form(jsonOf), description === undefined ? {} : { description });
    }
    // Bounds of what JavaScript can count, and names of fields that are texts: rules of no API.
    if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
    if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
    delete json['propertyNames'];
    delete json['id'];
  }
}

function operationBody(operation: Described, jsonOf: JsonOf, failure: FailureRef): JsonSchema {
  const { id, tag, summary, description, access, body, example, examples } = operation;
  const parameters = parametersOf(operation, jsonOf);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(access !== 'key' && { security: access === 'open' ? [] : [{ signIn: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: jsonOf(body),
            examples: examples ?? { usual: { summary: 'As usual', value: example } },
          },
        },
      },
    }),
    responses: {
      200: success(operation, jsonOf),
      ...Object.fromEntries(statusesOf(operation).map((status) => [status, failure(tag, status)])),
    },
  };
}

function parametersOf(operation: Described, jsonOf: JsonOf): JsonSchema[] {
  const { resource, query, headers = {} } = operation;
  const sent = isRepeatable(operation) ? { ...headers, 'Idempotency-Key': IDEMPOTENCY } : headers;
  const written = (place: string, fields: Readonly<Record<string, z.ZodType>>): JsonSchema[] =>
    Object.entries(fields).map(([name, field]) => {
      const { description, ...schema } = jsonOf(field);
      return { name, in: place, description, schema };
    });
  const ofPath = resource === undefined ? {} : { id: z.string().describe(resource) };
  return [
    ...written('path', ofPath).map((parameter) => ({ ...parameter, required: true })),
    ...written('header', sent),
    ...written('query', query?.shape ?? {}),
  ];
}

function success(operation: Described, jsonOf: JsonOf): JsonSchema {
  const { reply, streams, events: written = [ChatCompletionChunk, StreamError], limited } = operation;
  const events = {
    description: 'With `stream: true`. The schema is that of one event, the JSON after `data: `.',
    ...(written.length > 1 ? { anyOf: written.map(jsonOf) } : written.map(jsonOf)[0]),
  };
  const one = { description: 'The schema is that of one event, the JSON after `data: `.', ...jsonOf(reply) };
  const repeated = isRepeatable(operation) ? ['idempotent-replayed'] : [];
  return {
    description: 'What was asked for.',
    headers: headerRefs(['x-request-id', ...(limited ? rateLimit() : []), ...repeated]),
    content:
      streams === 'always'
        ? { 'text/event-stream': { schema: one } }
        : {
            'application/json': { schema: jsonOf(reply) },
            ...(streams && { 'text/event-stream': { schema: events } }),
          },
  };
}

function isRepeatable({ access, limited }: Described): boolean {
  return access === 'key' && limited === true;
}

function statusesOf(operation: Described): number[] {
  const { access, resource, body, failures = [] } = operation;
  if (access === 'open') return [400, 503];
  const ofBody = body ? [408, 413, 415] : [];
  const ofRepeated = isRepeatable(operation) ? [409] : [];
  const ofResource = resource === undefined ? [] : [404];
  return [400, 401, 403, 429, 500, 503, ...ofBody, ...ofRepeated, ...ofResource, ...failures].sort((a, b) => a - b);
}
