import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { documentedBlock } from '../support/documented-block';
import { freePorts, listening } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** The unit of docs/self-hosting.md starts a server that is well, and ends as systemd expects of it. */

const FUNCTIONS = join(__dirname, '..', '..');
const CLONE = '/opt/ensemble-api/functions';

it('the systemd unit in docs/self-hosting.md starts the server where it says, without a dashboard, and SIGTERM ends it with 0', async () => {
  const directory = await temporaryDirectory();
  const { port } = await freePorts('port');
  const unit = documentedBlock('ini', {
    [`WorkingDirectory=${CLONE}`]: `WorkingDirectory=${FUNCTIONS}`,
    'PORT=8080': `PORT=${port}`,
    'DATA_DIR=/var/lib/ensemble-api': `DATA_DIR=${directory.path}`,
  });
  const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const start = setting('ExecStart').split(' ');
  // In the place of the folder only now: the name of this one may have blanks.
  const [program = '', ...args] = start.map((word) => word.replace(CLONE, () => FUNCTIONS));
  const env = Object.fromEntries(
    setting('Environment')
      .split(' ')
      .map((word) => word.split('=') as [string, string]),
  );
  const server = spawn(program, args, { cwd: setting('WorkingDirectory'), env, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve({ code, signal })));
  await listening(port, server);
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect([await statusOf('/health'), await statusOf('/play'), await statusOf('/dashboard/keys')]).toEqual([
    200, 404, 404,
  ]);
  server.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  await directory.remove();
});
