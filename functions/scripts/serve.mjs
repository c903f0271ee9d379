// Serves the real function on the Functions Framework, as in production, on a seeded local store.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { announce } from './announce.mjs';
import { endWithParent } from './end-with-parent.mjs';

for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file);
const host = process.env.HOST || '127.0.0.1';
const port = process.env.PORT || '8080';
if (!(Number.isInteger(Number(port)) && Number(port) >= 1 && Number(port) <= 65_535)) {
  console.error(`PORT must be a number from 1 to 65535, not ${port}`);
  process.exit(1);
}
const env = { NODE_ENV: 'production', ...process.env, HOST: host, PORT: port };

// Says on stderr itself what is wrong with the settings or the store.
const seed = spawnSync(process.execPath, ['lib/seed.js'], {
  env,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (seed.status !== 0) process.exit(1);
const { key, real } = JSON.parse(seed.stdout);

// The program beside the package's entry point: its `bin`, started without a shell so that signals reach it.
const framework = join(dirname(createRequire(import.meta.url).resolve('@google-cloud/functions-framework')), 'main.js');
const server = spawn(process.execPath, ['--require', './scripts/bind-host.cjs', framework, '--target=api'], {
  env,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
endWithParent(() => server.kill());
// Ended by us is well; killed by anything else is not.
server.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)));
process.on('exit', () => server.kill());

const visibleHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
// The channel stays open: when it closes, this process has died, and the server ends as well.
await once(server, 'message');
const baseUrl = `http://${visibleHost.includes(':') ? `[${visibleHost}]` : visibleHost}:${port}/v1`;
announce({ baseUrl, key, real });
