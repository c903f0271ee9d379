import { createConnection } from 'node:net';
import { npmStart, repositoryCopy } from './npm-start';

/** `npm start` is five processes, one in another: whatever happens to the outermost, none is left, and no server. */
describe('npm start', () => {
  let repository: Awaited<ReturnType<typeof repositoryCopy>>;
  let server: Awaited<ReturnType<typeof npmStart>>;
  beforeAll(async () => {
    repository = await repositoryCopy();
  });
  beforeEach(async () => {
    server = await npmStart(repository.path);
    await server.ready();
  });
  afterEach(() => server.clear());
  afterAll(() => repository.remove());

  const listens = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = createConnection(server.port, '127.0.0.1');
      const settle = (accepted: boolean): void => {
        socket.destroy();
        resolve(accepted);
      };
      socket.once('connect', () => settle(true)).once('error', () => settle(false));
    });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('ends with its server when npm gets %s', async (signal) => {
    server.signal(signal);
    await server.ended;
    await server.gone();
    expect(await listens()).toBe(false);
    expect(server.output()).toContain('"message":"shut down"');
  });

  it('says in one line that the port is taken, and ends once at a Ctrl-C, which all its processes get', async () => {
    const second = await npmStart(repository.path, server.port);
    expect(await second.ended).not.toBe(0);
    const lines = second.output().split('\n');
    expect(lines.filter((line) => !/^(>|npm |$)/.test(line))).toEqual([
      `Cannot listen on 127.0.0.1, port ${server.port}: something else is listening there; choose another PORT`,
    ]);
    await second.gone();
    server.signalAll('SIGINT');
    await server.gone();
    expect(await listens()).toBe(false);
    expect(server.output()).toContain('"message":"shut down"');
  });
});
