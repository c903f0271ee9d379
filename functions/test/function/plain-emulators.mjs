// `firebase emulators:start` as a developer types it, without our script; with hidane in place of Java where it is installed.
// Without a configuration it only says whether it could.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { emulatorCommand, firebaseEnvironment } from '../../scripts/firebase-cli.mjs';

const [config] = process.argv.slice(2);
const [program, ...args] = emulatorCommand(['emulators:start', '--project', 'demo-ensemble', '--config', config]);
if (!config) process.exit(0);
// A process group of its own: hidane does not pass signals on, so the whole group gets them.
const cli = spawn(program, args, {
  cwd: dirname(config),
  env: firebaseEnvironment(),
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
});
process.on('SIGTERM', () => process.kill(-cli.pid, 'SIGINT'));
cli.on('exit', (code) => process.exit(code ?? 0));
