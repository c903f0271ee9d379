// Serves the real function on the Functions Framework, as in production, on a seeded local store.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';

if (existsSync('.env')) process.loadEnvFile('.env');
const host = process.env.HOST || '127.0.0.1';
const port = process.env.PORT || '8080';
const env = { NODE_ENV: 'production', ...process.env, HOST: host, PORT: port };

// Says on stderr itself what is wrong with the settings or the store.
const seed = spawnSync(process.execPath, ['lib/seed.js'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (seed.status !== 0) process.exit(1);
const { key, real } = JSON.parse(seed.stdout);

// The program beside the package's entry point: its `bin`, started without a shell so that signals reach it.
const framework = join(dirname(createRequire(import.meta.url).resolve('@google-cloud/functions-framework')), 'main.js');
const server = spawn(process.execPath, ['--require', './scripts/bind-host.cjs', framework, '--target=api'], {
  env,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 0 : 1)));

const visibleHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
await listening(visibleHost, Number(port));
const baseUrl = `http://${visibleHost.includes(':') ? `[${visibleHost}]` : visibleHost}:${port}/v1`;
console.log(`
Ensemble API is ready${real ? '' : ' with the built-in demo models (set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY for real ones)'}.

Base URL: ${baseUrl}
API key:  ${key}

curl ${baseUrl}/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"model": "ensemble", "messages": [{"role": "user", "content": "Is a tomato a fruit?"}]}'
`);

/** Resolves once the port takes connections; the server's own exit ends the wait. */
function listening(hostname, portNumber) {
  return new Promise((resolve) => {
    const attempt = () => {
      const socket = createConnection({ host: hostname, port: portNumber }, () => {
        socket.destroy();
        resolve();
      });
      socket.on('error', () => setTimeout(attempt, 50));
    };
    attempt();
  });
}
