import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/temporary-directory';
import { type RunningServer, startServer } from './servers';

const FUNCTIONS = join(__dirname, '..', '..');
const WARNING = 'warning: the server that is running uses another store';

/** Output of the operator's command line on stderr with these settings. */
function adminWith(env: Record<string, string>): Promise<string> {
  const settings = { PATH: process.env['PATH'] ?? '', ...env };
  return new Promise((resolve, reject) => {
    const args = ['lib/admin.js', 'users', 'list', '--json'];
    execFile(process.execPath, args, { cwd: FUNCTIONS, env: settings }, (error, _, stderr) =>
      error ? reject(error) : resolve(stderr),
    );
  });
}

describe('the operator’s command line beside a running server', () => {
  let server: RunningServer;
  let other: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeAll(async () => {
    [server, other] = await Promise.all([startServer(), temporaryDirectory()]);
  });
  afterAll(async () => {
    await server.stop();
    await other.remove();
  });

  it('says nothing when it works on the store of the server', async () => {
    expect(await adminWith({ DATA_DIR: server.directory })).not.toContain(WARNING);
  });

  it('warns when its settings lead to another store, and says how to reach the one of the server', async () => {
    const said = await adminWith({ DATA_DIR: other.path });
    expect(said).toContain(`store: embedded, in ${other.path} (DATA_DIR)`);
    expect(said).toContain(WARNING);
    expect(said).toContain(`STORE=embedded DATA_DIR=${server.directory} npm run admin -- ...`);
    expect(said).toContain(`http://127.0.0.1:${server.port} `);
  });

  it('keeps quiet about a server that has ended, however it ended', async () => {
    const ended = await startServer();
    await ended.kill();
    expect(await adminWith({ DATA_DIR: other.path })).not.toContain(ended.directory);
  });
});
