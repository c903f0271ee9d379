import { type FunctionServer, startFunctionServer } from './function-server';

describe('RATE_LIMIT_RPM=40', () => {
  const servers: FunctionServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  const start = async (env: Record<string, string> = {}): Promise<FunctionServer> => {
    const server = await startFunctionServer({ RATE_LIMIT_RPM: '40', ...env });
    servers.push(server);
    return server;
  };

  it('lets in exactly 40 of 80 requests that one user sends at once to two servers on one store', async () => {
    const first = await start();
    const second = await start({ DATA_DIR: first.directory });
    const headers = { authorization: `Bearer ${first.key}` };
    const ask = (index: number) => fetch(`${(index % 2 ? first : second).baseUrl}/v1/usage`, { headers });
    const replies = await Promise.all(Array.from({ length: 80 }, (_, index) => ask(index)));
    const counts = [200, 429].map((wanted) => replies.filter(({ status }) => status === wanted).length);
    expect(counts).toEqual([40, 40]);
    expect(new Set(replies.map((reply) => reply.headers.get('x-ratelimit-limit-requests')))).toEqual(new Set(['40']));
  });
});
