// Serves the real function on the Functions Framework, as in production, on a seeded local store, in this one process.
import { randomBytes } from 'node:crypto';
import { createRequire, enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.mjs';
import { endWithParent } from './end-with-parent.mjs';
import { ensureBuilt, ensurePagesBuilt } from './ensure-built.mjs';
import { loadSettings } from './load-settings.mjs';
import { openInBrowser } from './open-in-browser.mjs';

// What V8 has compiled is kept for the next start, beside the packages, so that it does not outlive them.
enableCompileCache(fileURLToPath(new URL('../node_modules/.compile-cache', import.meta.url)));
const require = createRequire(import.meta.url);
// The program beside the package's entry point: its `bin`.
const FRAMEWORK = join(dirname(require.resolve('@google-cloud/functions-framework')), 'main.js');

ensureBuilt();
loadSettings();
const host = process.env.HOST || '127.0.0.1';
const port = process.env.PORT || '8080';
// As the platform starts it.
Object.assign(process.env, { NODE_ENV: 'production', ...process.env, FUNCTION_TARGET: 'api', HOST: host, PORT: port });

ensurePagesBuilt();
// It is in the link that is printed below: whoever has that may use the dashboard.
const secret = process.env.DASHBOARD_SECRET?.trim() || randomBytes(24).toString('base64url');
process.env.DASHBOARD_SECRET = secret;
const isToBeOpened = process.argv.includes('--open');
endWithParent(() => process.kill(process.pid, 'SIGTERM'));
const probed = await nameDefaultModel();
const { key, speakers } = await seeded();
const { listening } = require('./bind-host.cjs');
process.argv = [process.execPath, FRAMEWORK, '--target=api', '--source=lib/local.cjs'];
require(FRAMEWORK);
await listening;

const visibleHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
const origin = `http://${visibleHost.includes(':') ? `[${visibleHost}]` : visibleHost}:${port}`;
const dashboard = require('../lib/local.js').hasDashboard() && `${origin}/play?token=${secret}`;
announce({
  baseUrl: `${origin}/v1`,
  key,
  speakers,
  probed,
  facts: dashboard ? { Dashboard: dashboard } : {},
});
if (isToBeOpened && dashboard) openInBrowser(dashboard);

/** Loads the function and makes its demo user. What is wrong with the settings or the store is said in a line. */
async function seeded() {
  try {
    return await require('../lib/local.js').seed();
  } catch (error) {
    console.error(error.message);
    return process.exit(1);
  }
}

/** Takes one of the models behind `OPENAI_BASE_URL` for the default, where nothing else says which there are. */
async function nameDefaultModel() {
  if (!process.env.OPENAI_BASE_URL) return undefined;
  const probed = await require('../lib/probe.js').probeBaseUrl(process.env);
  if (probed?.defaultModel) process.env.DEFAULT_MODEL = probed.defaultModel;
  return probed;
}
