import { isRefusal } from '../../src/errors';
import { localSignIn } from '../../src/http/local-sign-in';
import { systemClock } from '../../src/lib/clock';
import { type App, DASHBOARD_SECRET, startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';
import { sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { type Description, descriptionChecks, type Json } from './openapi-document';

/** `GET /v1/openapi.json` describes the dashboard's routes as they are: each is asked, and its reply held to its schema. */

const ROUTER_MODELS = { data: [{ id: 'owl/eagle-1', name: 'Owl: Eagle 1', context_length: 9_000 }] };

interface Told {
  readonly method: string;
  readonly path: string;
  readonly body: Json | undefined;
  readonly schema: Json;
  readonly bodySchema: Json | undefined;
}

function operationsOf({ paths }: Description): Told[] {
  return Object.entries(paths).flatMap(([path, operations]) => {
    if (!path.startsWith('/dashboard/')) return [];
    return Object.entries(operations).map(([method, { requestBody, responses }]) => {
      const content = requestBody?.content['application/json'];
      const { 'application/json': whole, 'text/event-stream': events } = responses['200']?.content ?? {};
      // Of a stream the schema is that of one event, and `ask` gives a list of them.
      const schema = whole?.schema ?? { type: 'array', items: events?.schema };
      const body = content?.examples?.['usual']?.value;
      return {
        method: method.toUpperCase(),
        path: path.slice('/dashboard/'.length),
        body,
        schema,
        bodySchema: content?.schema,
      };
    });
  });
}

/** The token of a new link to a run: the newest alone leads there. */
async function shareOf(app: App, runId = ''): Promise<string> {
  const { body } = await ask<{ token: string }>(app, { method: 'PUT', path: `runs/${runId}/share` });
  return body.token;
}

describe('the dashboard in the description', () => {
  let app: App;
  afterEach(() => app.close());

  it('has requests that fit their schemas, and replies that do', async () => {
    const router = await startFakeUpstream(sendStatus(200, ROUTER_MODELS));
    const signIn = localSignIn(LOCAL_USER, DASHBOARD_SECRET, systemClock);
    const sessions = { signIn, endSessions: async () => {} };
    app = await startApp({ env: { ROUTER_BASE_URL: router.url }, sessions });
    await app.complete({}, await app.user(LOCAL_USER, 'pro'));
    const description = (await (await fetch(`${app.baseUrl}/v1/openapi.json`)).json()) as Description;
    const flaws = descriptionChecks(description);
    const told = operationsOf(description);
    // What removes comes last, so that there is something to see and to remove.
    const order = ['POST', 'PUT', 'GET', 'PATCH', 'DELETE'];
    const placeOf = ({ method, path }: Told): number =>
      order.indexOf(method) + (method === 'DELETE' && path === 'runs' ? 1 : 0);
    told.sort((a, b) => placeOf(a) - placeOf(b));
    expect(told).toHaveLength(38);
    let token = '';
    for (const { method, path, body, schema, bodySchema } of told) {
      const [key] = await app.container.store.listKeys(LOCAL_USER);
      const [run] = await app.container.store.listRuns(LOCAL_USER, { max: 1 });
      if (path === 'shared/{id}') token = await shareOf(app, run?.runId);
      const ids = {
        shared: token,
        presets: 'Two%20of%20each',
        'router-models': 'owl/eagle-1',
        runs: run?.runId,
        keys: key?.keyId,
      };
      const id = Object.entries(ids).find(([of]) => path.startsWith(of))?.[1] ?? '';
      const reply = await ask(app, { method, path: path.replace('{id}', id), ...(body && { body }) });
      const where = `${method} ${path}`;
      expect([where, reply.status, isRefusal(reply.body)]).toEqual([where, 200, false]);
      expect([where, flaws(schema, reply.body)]).toEqual([where, '']);
      if (bodySchema) expect([where, flaws(bodySchema, body)]).toEqual([where, '']);
    }
    await router.close();
  });

  it('has the replies of an account without anything', async () => {
    app = await startApp();
    const description = (await (await fetch(`${app.baseUrl}/v1/openapi.json`)).json()) as Description;
    const flaws = descriptionChecks(description);
    const reads = operationsOf(description).filter(
      ({ method, path }) => method === 'GET' && path !== 'router-catalog' && !path.includes('{id}'),
    );
    for (const { path, schema } of reads) {
      const reply = await ask(app, { path });
      expect([path, reply.status, flaws(schema, reply.body)]).toEqual([path, 200, '']);
    }
  });
});
