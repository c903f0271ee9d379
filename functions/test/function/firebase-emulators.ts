import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere } from '../support/describe-where';
import { freePorts, type Program, startProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';
import { emulatorsWithPages } from './emulator-pages';

/** The emulators, running. */
export type FirebaseEmulators = Awaited<ReturnType<typeof start>>;

const FUNCTIONS = join(__dirname, '..', '..');
const ROOT = join(FUNCTIONS, '..');
const SCRIPT = join(FUNCTIONS, 'scripts', 'emulators.mjs');
/** The Firebase CLI alone. */
const PLAIN = join(FUNCTIONS, 'test', 'function', 'plain-emulators.mjs');
const SHELL = join(FUNCTIONS, 'scripts', 'shell.mjs');
/** With these there is the function `subscriptions`, which the Firestore emulator calls when documents change. */
const SETTINGS = 'STRIPE_CUSTOMERS=customers\nSTRIPE_TIERS=price_pro=pro\n';
const START_TIMEOUT_MS = 100_000;
const STOP_TIMEOUT_MS = 15_000;
const EMULATORS = [
  'functions',
  'firestore',
  'auth',
  'hosting',
  'hub',
  'logging',
  'eventarc',
  'tasks',
  'websocket',
  'ui',
] as const;

/** Commands that start the emulators, and their last output: the `curl` line of ours, the table of the CLI. */
const WAYS = {
  'npm run emulators': { script: SCRIPT, args: ['--config'], last: /^curl .+\n/m },
  'firebase emulators:start': { script: PLAIN, args: [], last: /All emulators ready/ },
} as const;
type Way = keyof typeof WAYS;

/** A suite on the emulators, with ports and data of its own. */
export function describeWithEmulators(
  name: string,
  suite: (current: () => FirebaseEmulators) => void,
  way: Way = 'npm run emulators',
): void {
  const check = spawnSync(process.execPath, [PLAIN], { cwd: FUNCTIONS, encoding: 'utf8' });
  describeWhere(name, check.status === 0 ? undefined : check.stderr.trim(), () => {
    let started: FirebaseEmulators | undefined;
    beforeAll(async () => {
      started = await start(way);
    }, START_TIMEOUT_MS + STOP_TIMEOUT_MS);
    afterAll(() => started?.stop(), 2 * STOP_TIMEOUT_MS);
    suite(() => {
      if (!started) throw new Error('the emulators are not running');
      return started;
    });
  });
}

async function start(way: Way) {
  const directory = await temporaryDirectory();
  const ports = await freePorts(...EMULATORS);
  const config = writeProject(directory.path, ports);
  const { PATH, HOME } = process.env;
  const { script, args, last } = WAYS[way];
  const program = startProgram([script, ...args, config], {
    PATH,
    HOME,
    DATA_DIR: directory.path,
    FIREBASE_EMULATORS_PATH: emulatorsWithPages(directory.path),
  });
  const stop = async (): Promise<void> => {
    const pids = await emulatorPids(ports.hub);
    await program.end('SIGTERM', STOP_TIMEOUT_MS);
    for (const pid of pids) killIfAlive(pid);
    await directory.remove();
  };
  try {
    await ready(program, last);
  } catch (error) {
    await stop();
    throw error;
  }
  /** The output ends with the lines that tell how to use it. */
  const [authUrl = '', uiUrl = '', pagesUrl = ''] = [ports.auth, ports.ui, ports.hosting].map(
    (port) => `http://127.0.0.1:${port}`,
  );
  const host = { FIRESTORE_EMULATOR_HOST: `127.0.0.1:${ports.firestore}` };
  const shell = () => startProgram([SHELL, '--config', config], { PATH, HOME, DATA_DIR: directory.path, ...host });
  return { output: program.output, shell, authUrl, uiUrl, pagesUrl, firestorePort: ports.firestore, stop };
}

/** A Firebase project like ours on other ports; the configuration must lie beside the function's folder. */
function writeProject(directory: string, ports: Awaited<ReturnType<typeof freePorts>>): string {
  const emulators = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { port }]));
  const firestore = { rules: 'firestore.rules', indexes: 'firestore.indexes.json' };
  const ours = readFileSync(join(ROOT, 'firebase.json'), 'utf8');
  const { port: authPort } = JSON.parse(ours).emulators.auth;
  // Whoever changes the port of the Auth emulator changes it wherever it stands.
  const { hosting } = JSON.parse(ours.replaceAll(`127.0.0.1:${authPort}`, `127.0.0.1:${ports['auth']}`));
  const settings = {
    functions: [{ source: 'functions', configDir: '.', codebase: 'ensemble-api', runtime: 'nodejs24' }],
    firestore,
    hosting: { ...hosting, predeploy: [] },
    emulators: {
      ...emulators,
      firestore: { ...emulators['firestore'], websocketPort: ports['websocket'] },
      ui: { enabled: true, port: ports['ui'] },
    },
  };
  for (const folder of ['functions', 'dashboard']) symlinkSync(join(ROOT, folder), join(directory, folder));
  for (const file of Object.values(firestore)) copyFileSync(join(ROOT, file), join(directory, file));
  writeFileSync(join(directory, '.env'), SETTINGS);
  const file = join(directory, 'firebase.json');
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

/** Resolves once the last line was printed. */
function ready({ child, output }: Program, last: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${why}:\n${output()}`));
    const timer = setTimeout(() => fail('the emulators were not ready in time'), START_TIMEOUT_MS);
    child.once('exit', (code) => fail(`the emulators ended with code ${code}`));
    child.stdout.on('data', () => {
      if (!last.test(output())) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The programs that the suite runs beside itself, e.g. the Firestore emulator; none when it is not up. */
async function emulatorPids(hubPort: number): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${hubPort}/emulators`).catch(() => undefined);
  const running = (await response?.json()) as Record<string, { pid?: number }> | undefined;
  return Object.values(running ?? {}).flatMap(({ pid }) => pid ?? []);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
}
