import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Session } from '../session/session';
import { bodyOrThrow, createApi } from './client';

/** A client from which the server wants another proof than it got: over HTTP, with a session that counts. */
describe('the client of the dashboard', () => {
  /** Keyed by the proof that comes with a request. */
  let answers: Readonly<Record<string, readonly [status: number, type: string]>> = {};
  let asked: string[] = [];
  const server = createServer((request, response) => {
    const proof = request.headers['x-proof']?.toString() ?? '';
    asked.push(proof);
    const [status, type] = answers[proof] ?? [200, ''];
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `id-${asked.length}` });
    response.end(JSON.stringify(status === 200 ? {} : { error: { message: `no ${proof}`, type } }));
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(globalThis, { location: { origin } });
  });
  afterAll(() => {
    Reflect.deleteProperty(globalThis, 'location');
    server.closeAllConnections();
    server.close();
  });

  /** Each way to a new proof is noted, and leads to the next one. */
  function session(canRenew = true) {
    const ways: string[] = [];
    let proof = 1;
    const next = (way: string): boolean => {
      ways.push(way);
      if (canRenew) proof += 1;
      return canRenew;
    };
    const made: Session = {
      mode: 'firebase',
      baseUrl: `${origin}/v1`,
      hasRunLinks: true,
      streamServer: async () => origin,
      state: () => ({ is: 'somebody', account: { id: 'ann', name: 'Ann' } }),
      onChange: () => () => {},
      proof: async () => ({ 'x-proof': String(proof) }),
      renewApp: async () => next('renewApp'),
      refused: async (time) => next(`refused ${time}`),
      signInAgain: async () => next('signInAgain'),
    };
    return { session: made, ways };
  }

  const load = (of: Session) => bodyOrThrow(createApi(of).GET('/dashboard/keys'));
  beforeEach(() => {
    asked = [];
  });

  it.each([
    [403, 'app_check_required', 'renewApp'],
    [403, 'recent_login_required', 'signInAgain'],
    [401, 'invalid_request_error', 'refused first'],
  ])('after a %d of %s asks for what is wanted, and then once more', async (status, type, way) => {
    answers = { 1: [status, type] };
    const { session: of, ways } = session();
    expect(await load(of)).toEqual({});
    expect([asked, ways]).toEqual([['1', '2'], [way]]);
  });

  it('shows the refusal, with its request id, where App Check goes on missing: no loop, and nobody is signed out', async () => {
    answers = { 1: [403, 'app_check_required'], 2: [403, 'app_check_required'] };
    const { session: of, ways } = session();
    await expect(load(of)).rejects.toMatchObject({ message: 'no 2', type: 'app_check_required', requestId: 'id-2' });
    expect([asked, ways]).toEqual([['1', '2'], ['renewApp']]);
  });

  it('asks no more where there is no new proof to be had', async () => {
    answers = { 1: [403, 'app_check_required'] };
    const { session: of } = session(false);
    await expect(load(of)).rejects.toMatchObject({ type: 'app_check_required' });
    expect(asked).toEqual(['1']);
  });

  it('takes any other 403 for what it is', async () => {
    answers = { 1: [403, 'permission_error'] };
    const { session: of, ways } = session();
    await expect(load(of)).rejects.toMatchObject({ type: 'permission_error' });
    expect([asked, ways]).toEqual([['1'], []]);
  });
});
