import { logOf } from './adapters';
import { type Config, readConfig } from './config';
import { type Container, createBilling, createContainer, createHousekeeping } from './container';
import { checkDeployment, STRIPE } from './deployment';
import { loadLocalEnvironment } from './env-files';
import { keepBodiesFromFramework } from './http/body';
import { answerDirectly } from './http/direct-requests';
import { onListening } from './http/listening-servers';
import { prepareServers } from './http/prepare-server';
import { isolateFaults } from './http/request-faults';
import { keepSwept } from './ledger/housekeeping';
import { systemClock } from './lib/clock';
import { endOnSignals } from './lib/end-on-signals';
import { lazy } from './lib/lazy';
import { OpenWork } from './lib/open-work';
import { SettingsError } from './lib/settings-reader';
import { leaveNote } from './store/server-notes';
import { limitWarning, storeSettings } from './store/store-settings';
import { loadTelemetryModule } from './telemetry/telemetry-module';

/** What is under way in this process; its end waits for it. */
export const openWork = new OpenWork();

/** What `api` serves with, made on first use. */
export const container = lazy(() => createContainer(readConfig(process.env), { openWork }));

/** What the scheduled functions work with, made on first use. */
export const housekeeping = lazy(() => createHousekeeping());

/** What follows Stripe's subscriptions, made on first use. */
export const billing = lazy(() => createBilling(STRIPE));

/** What a process does before its first request. It ends, with a line for each, when settings cannot be used. */
export function startUp(): void {
  try {
    prepare();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function prepare(): void {
  // An event is read by the framework: without its body `subscriptions` would refuse every one.
  if (process.env['FUNCTION_TARGET'] !== 'subscriptions') keepBodiesFromFramework();
  // When the platform only asks which functions there are, it has no secrets and nothing to sweep.
  if (process.env['FUNCTIONS_CONTROL_API'] === 'true') {
    checkDeployment(process.env);
    return;
  }
  if (!process.env['K_SERVICE']) loadLocalEnvironment(process.cwd());
  const config = readConfig(process.env);
  // Before anything is asked for a tracer or a meter.
  const { telemetryModule } = config;
  const flush = telemetryModule === '' ? undefined : loadTelemetryModule(telemetryModule, process.cwd());
  endOnSignals({ openWork, clock: systemClock, log: logOf(config), process, ...(flush && { flush }) });
  // An instance of `api` that cannot work must not start, or a faulty deployment would replace one that does.
  if (config.store === 'embedded' || process.env['FUNCTION_TARGET'] === 'api') {
    prepareServers(container(), directly(container()));
    requireModels(config);
    if (config.store === 'firestore') connectStore(container());
    const warning = limitWarning(config);
    if (warning) container().log.warn(warning, {});
    if (!process.env['K_SERVICE']) leaveNotes(config);
  }
  // Beside a store of its own a process is its own sweeper; with Firestore the scheduled functions do it.
  if (config.store === 'embedded') keepSwept(container());
}

/**
 * Makes a server of the framework ask the app itself, where all its requests are for it. The Functions emulator's has
 * requests of its own.
 */
function directly({ app, ...deps }: Container): Parameters<typeof prepareServers>[1] {
  const { FUNCTION_TARGET: target, FUNCTIONS_EMULATOR: emulator } = process.env;
  if (target !== 'api' || emulator) return undefined;
  const during = isolateFaults({ ...deps, process });
  return (server) => answerDirectly(server, { app, during, openWork });
}

/**
 * Loads Firestore's client and connects it by reading a document of nobody's, so that the first request waits for neither.
 * Where that fails, the requests will tell.
 */
function connectStore({ store }: Container): void {
  store.getSubscription('start').catch(() => undefined);
}

/** For the operator's command line, which may have been started with other settings. */
function leaveNotes(config: Config): void {
  const store = storeSettings(config);
  onListening(({ address: host, port }) => leaveNote(process.cwd(), { host, port, store }));
}

/** Throws when every request would fail, since nobody can be asked. */
function requireModels({ providers, demoModels }: Config): void {
  if (demoModels || Object.keys(providers).length > 0) return;
  throw new SettingsError(
    'No model provider is configured: set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, a base URL of one of them, ' +
      'or an endpoint in MODEL_OVERRIDES',
  );
}
