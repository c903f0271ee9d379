import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('./run.mjs', import.meta.url));

/**
 * Starts the service as `npm start` does, with these settings, on a store in `directory` or one that goes with it; resolves
 * when it is ready. It ends with whoever has started it.
 */
export async function startService(settings: Readonly<Record<string, string>>, directory?: string) {
  const folder = directory ?? mkdtempSync(join(tmpdir(), 'ensemble-service-'));
  const own = { LOG_LEVEL: 'error', ...settings, PORT: String(await freePort()), DATA_DIR: folder };
  const env = { ...process.env, npm_lifecycle_event: 'start', ...own };
  const child = spawn(process.execPath, [START, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    if (directory === undefined) rmSync(folder, { recursive: true, force: true });
  };
  let output = '';
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`;
    const [, baseUrl, key] = /^Base URL: +(\S+)\nAPI key: +(\S+)$/m.exec(output) ?? [];
    if (!baseUrl || !key) continue;
    child.stdout.resume();
    return { baseUrl, key, stop };
  }
  throw new Error('the service did not start');
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
