import { createConnection } from 'node:net';
import { npmStart, repositoryCopy } from './npm-start';

type Repository = Awaited<ReturnType<typeof repositoryCopy>>;
type Started = Awaited<ReturnType<typeof npmStart>>;

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const settle = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/** A shell that npm starts its scripts with may stay for as long as they run. */
function withoutShell(processes: readonly string[]): string[] {
  return processes.filter((command) => !/^\S*sh -c /.test(command));
}

/** Whatever happens to npm, none of the processes that it began is left, and no server. */
describe.each([
  ['on the Node that npm found', () => {}, 1],
  ['on a Node of its own, where npm found another', (repository: Repository) => repository.nodeOfAnotherVersion(), 2],
] as const)('npm start, %s', (_, prepare, processCount) => {
  let repository: Repository;
  let server: Started;
  beforeAll(async () => {
    repository = await repositoryCopy();
    prepare(repository);
  });
  const start = async (): Promise<void> => {
    server = await npmStart(repository.path);
    await server.ready();
  };
  afterEach(() => server.clear());
  afterAll(() => repository.remove());

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('ends with its server when npm gets %s', async (signal) => {
    await start();
    const commands = withoutShell(server.processes());
    expect(commands).toHaveLength(processCount);
    // What Node is told in `package.json` also holds for a Node that the first one starts.
    for (const command of commands) expect(command).toContain('--max-semi-space-size=8 --v8-pool-size=2');
    server.signal(signal);
    await server.ended;
    await server.gone();
    expect(await listens(server.port)).toBe(false);
    expect(server.output()).toContain('"message":"shut down"');
  });

  it('says in one line that the port is taken, and ends once at a Ctrl-C, which all its processes get', async () => {
    await start();
    const second = await npmStart(repository.path, { port: server.port });
    expect(await second.ended).not.toBe(0);
    const lines = second.output().split('\n');
    expect(lines.filter((line) => !/^(>|npm |$)/.test(line))).toEqual([
      `Cannot listen on 127.0.0.1, port ${server.port}: something else is listening there; choose another PORT`,
    ]);
    await second.gone();
    server.signalAll('SIGINT');
    await server.gone();
    expect(await listens(server.port)).toBe(false);
    expect(server.output()).toContain('"message":"shut down"');
  });
});
