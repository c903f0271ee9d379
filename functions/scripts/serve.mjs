// Serves the built service on a seeded local store, in this one process, and prints where and with which key.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.mjs';
import { DASHBOARD_BUILD, FUNCTION_BUILD, loadSettings } from './builds.mjs';
import { endWithParent } from './end-with-parent.mjs';

// What V8 has compiled is kept for the next start, beside the packages, so that it does not outlive them.
enableCompileCache(fileURLToPath(new URL('../node_modules/.compile-cache', import.meta.url)));
const require = createRequire(import.meta.url);

FUNCTION_BUILD.ensure();
loadSettings();
const host = process.env.HOST || '127.0.0.1';
const port = process.env.PORT || '8080';
// It is in the link that is printed below: whoever has that may use the dashboard.
const secret = process.env.DASHBOARD_SECRET?.trim() || randomBytes(24).toString('base64url');
Object.assign(process.env, { NODE_ENV: 'production', ...process.env, HOST: host, DASHBOARD_SECRET: secret });

DASHBOARD_BUILD.ensure();
endWithParent(() => process.kill(process.pid, 'SIGTERM'));
const probed = await nameDefaultModel();
const { key, speakers, hasDashboard } = await require('../lib/server.js').startServer({ seed: true });

const visibleHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
const origin = `http://${visibleHost.includes(':') ? `[${visibleHost}]` : visibleHost}:${port}`;
const dashboard = hasDashboard && `${origin}/play?token=${secret}`;
announce({
  baseUrl: `${origin}/v1`,
  key,
  speakers,
  probed,
  facts: dashboard ? { Dashboard: dashboard } : {},
});
if (process.argv.includes('--open') && dashboard) openInBrowser(dashboard);

/** Takes one of the models behind `OPENAI_BASE_URL` for the default, where nothing else says which there are. */
async function nameDefaultModel() {
  if (!process.env.OPENAI_BASE_URL) return undefined;
  const probed = await require('../lib/probe.js').probeBaseUrl(process.env);
  if (probed?.defaultModel) process.env.DEFAULT_MODEL = probed.defaultModel;
  return probed;
}

/**
 * Opens an address that has a secret in it. Other accounts of the machine see with which words a program was started, so the
 * address stands in a file that is this account's alone and leads there. On a machine without a browser nothing happens.
 */
function openInBrowser(url) {
  const folder = mkdtempSync(join(tmpdir(), 'ensemble-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const page = join(folder, 'dashboard.html');
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">`);
  const opener = spawn({ darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open', [page], {
    stdio: 'ignore',
    detached: true,
  });
  opener.on('error', () => {});
  opener.unref();
}
