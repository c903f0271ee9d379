import type { JsonSchema } from '../schema-notes';
import { ACCOUNT_OPERATIONS } from './account-operations';
import { ACCOUNT_REPLIES } from './account-replies';
import { FAILURES, failureResponses, HEADERS, headerRefs, rateLimit } from './failures';
import { inputSchemas } from './input-schema';
import { OPERATIONS, type Operation } from './operations';
import { OTHER_REPLIES } from './other-replies';
import { RUN_REPLIES } from './run-replies';
import { ref } from './shapes';
import { TRACE_REPLIES } from './trace-replies';

const TAGS = {
  Answers: 'Several models answer, one arbiter replies.',
  Evaluations: 'Judge models score given responses.',
  Models: 'What can be asked.',
  Account: 'What was used.',
  Server: 'For anybody, without a key.',
  Dashboard: 'For users who are signed in, and the page of the dashboard. Not where the dashboard is off.',
};

/** The description of the API in OpenAPI 3.1, made from the schemas that requests are validated by. */
export function openApiDocument(): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const jsonOf = inputSchemas(schemas);
  const operations = [...OPERATIONS, ...ACCOUNT_OPERATIONS];
  for (const { body } of operations) if (body) schemas[body.name] = jsonOf(body.schema);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ensemble API',
      version: '1.0.0',
      summary: 'OpenAI-compatible: several models answer, one arbiter replies.',
      description:
        'Send the key as `Authorization: Bearer KEY`; no other header is read for one. What the schemas allow is accepted. Beyond them, null counts as absent and unknown fields are ignored.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
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
      },
      schemas: {
        ...schemas,
        ...RUN_REPLIES,
        ...TRACE_REPLIES,
        ...OTHER_REPLIES,
        ...ACCOUNT_REPLIES,
        Description: { type: 'object', description: 'An OpenAPI 3.1 document.' },
      },
      responses: failureResponses(),
      headers: HEADERS,
    },
  };
}

function pathsOf(operations: readonly Operation[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationBody(operation) };
  }
  return paths;
}

function operationBody({
  id,
  tag,
  summary,
  description,
  open,
  signedIn,
  body,
  parameters,
  ...rest
}: Operation): JsonSchema {
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(open && { security: [] }),
    ...(signedIn && { security: [{ signIn: [] }] }),
    ...(parameters && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: ref(body.name), examples: body.examples } },
      },
    }),
    responses: {
      200: success({ ...rest, isRepeatable: body !== undefined && !signedIn }),
      ...failures(rest),
    },
  };
}

type Success = Pick<Operation, 'reply' | 'streams' | 'limited'> & { readonly isRepeatable: boolean };

function success({ reply, streams, limited, isRepeatable }: Success): JsonSchema {
  const events = {
    description: 'With `stream: true`. The schema is that of one event, the JSON after `data: `.',
    anyOf: [ref('ChatCompletionChunk'), ref('StreamError')],
  };
  const one = { description: 'The schema is that of one event, the JSON after `data: `.', ...ref(reply) };
  const headers = ['x-request-id', ...(limited ? rateLimit() : []), ...(isRepeatable ? ['idempotent-replayed'] : [])];
  return {
    description: 'What was asked for.',
    headers: headerRefs(headers),
    content:
      streams === 'always'
        ? { 'text/event-stream': { schema: one } }
        : {
            'application/json': { schema: ref(reply) },
            ...(streams && { 'text/event-stream': { schema: events } }),
          },
  };
}

function failures(operation: Pick<Operation, 'failures'>): JsonSchema {
  const known = operation.failures.filter((status) => FAILURES[status]);
  return Object.fromEntries(known.map((status) => [status, { $ref: `#/components/responses/Status${status}` }]));
}
