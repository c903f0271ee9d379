/* The door of `npm start` and of the container: Node's own server over the app. */
import { once } from 'node:events';
import { seedDemoUser } from './cli/demo-user';
import { type Config, readConfig } from './config';
import { loadLocalEnvironment } from './env-files';
import { createHttpServer } from './http/http-server';
import { keepSwept } from './ledger/sweep';
import { OpenWork } from './lib/open-work';
import { SettingsReader } from './lib/settings-reader';
import type { Services } from './services';
import { prepareProcess, startServices } from './start-up';
import { leaveNote } from './store/server-notes';
import { storeSettings } from './store/store-settings';

/** Reasons for which a server cannot listen, in words of who runs it. */
const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else is listening there; choose another PORT',
  EADDRNOTAVAIL: 'this machine has no such address; check HOST',
  EACCES: 'not permitted; choose a PORT above 1023',
};

/** Starts the server; with `seed` its store gets the demo user first. Ends the process, with a line, where it cannot. */
export async function startServer({ seed = false } = {}) {
  try {
    loadLocalEnvironment(process.cwd());
    const config = readConfig(process.env);
    const openWork = new OpenWork();
    prepareProcess(config, openWork);
    const services = startServices(config, openWork);
    const demo = seed ? await seedDemoUser(services) : undefined;
    await listen(config, services);
    // With Firestore the scheduled functions sweep.
    if (config.store === 'embedded') keepSwept(services);
    return { ...demo, hasDashboard: config.dashboard.users === 'local' };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

async function listen(config: Config, services: Services): Promise<void> {
  const { port } = config;
  // Not set, as in a container, it is every address; `npm start` sets it.
  const host = new SettingsReader(process.env).text('HOST');
  const server = createHttpServer(services).listen(port, host || undefined);
  await once(server, 'listening').catch(({ code }) => {
    throw new Error(`Cannot listen on ${host}, port ${port}: ${LISTEN_FAILURES[code] ?? code}`);
  });
  // For the operator's command line, which may have been started with other settings.
  server.once('close', leaveNote(process.cwd(), { host: host || '::', port, store: storeSettings(config) }));
}

if (require.main === module) void startServer();
