// The Firebase CLI, which has a folder of its own, tools/, that the root's scripts install when it is needed; and the APIs of
// Google, asked with its sign-in by its own modules in this process: starting the CLI takes seconds.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../tools/node_modules/firebase-tools/lib/bin/firebase.js', import.meta.url));

/** The command line of the Firebase CLI with `args`; ends the program with an explanation when it is not installed. */
export function firebaseCommand(args) {
  if (existsSync(CLI)) return [process.execPath, CLI, ...args];
  console.error('The Firebase CLI is not installed: `npm run emulators` in the root folder does that.');
  return process.exit(1);
}

/**
 * The same for commands that start a Firestore emulator: through `hidane exec`, which stands in for Java, where hidane is
 * installed. Ends the program with an explanation when there is neither.
 */
export function emulatorCommand(args) {
  const command = firebaseCommand(args);
  if (runs('hidane')) return ['hidane', 'exec', '--', ...command];
  if (runs('java')) return command;
  console.error(`The Firestore emulator needs one of two programs on PATH:
  - hidane, a single file without Java: cargo install hidane --version 0.6.0 --locked
  - Java 21 or newer for the emulator of firebase-tools`);
  return process.exit(1);
}

/** The environment for it: the CLI starts `node` by name, which should be this one; cargo puts hidane into a folder of its own. */
export function firebaseEnvironment(more = {}) {
  const cargo = join(homedir(), '.cargo', 'bin');
  return { ...process.env, PATH: [dirname(process.execPath), process.env.PATH, cargo].join(delimiter), ...more };
}

/** True if a program is there to be run. */
export function runs(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore', env: firebaseEnvironment() }).error === undefined;
}

/** A project as whoever is signed in sees it. Rejects when nobody is signed in. */
export async function openProject(project) {
  const [, cli] = firebaseCommand([]);
  const require = createRequire(cli);
  const load = (path) => require(`../${path}.js`);
  const account = await signIn(load, project);
  const origins = load('api');
  const { Client } = load('apiv2');

  /** Sends a request such as `POST /v1/…` to one of the APIs, by the name of its origin in the CLI. */
  async function send(origin, request, body) {
    const [method, path] = request.split(' ');
    const client = new Client({ urlPrefix: origins[origin](), auth: true });
    return (await client.request({ method, path, body })).body;
  }

  return {
    send,
    /** Undefined for what is not there, may not be seen, or is of a service that was never switched on. */
    async get(origin, path) {
      try {
        return await send(origin, `GET ${path}`);
      } catch (error) {
        const isOff = /has not been used|SERVICE_DISABLED/.test(`${error.message} ${error.original?.message}`);
        if (isOff || error.status === 403 || error.status === 404) return undefined;
        throw error;
      }
    },
    enableSecrets: () => load('gcp/secretManager').ensureApi({ project, projectId: project }),
    askSecretly: (message) => load('prompt').password({ message }),
    /** The environment in which programs that do not know the CLI's sign-in act as the same account. */
    async credentials() {
      if (process.env.GOOGLE_APPLICATION_CREDENTIALS || !account) return {};
      const file = await load('defaultCredentials').getCredentialPathAsync(account);
      return file ? { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CLOUD_QUOTA_PROJECT: project } : {};
    },
  };
}

async function signIn(load, project) {
  const { selectAccount, setActiveAccount } = load('auth');
  const options = { project, projectId: project, nonInteractive: true };
  const account = selectAccount(undefined, resolve('..'));
  if (account) setActiveAccount(options, account);
  await load('requireAuth').requireAuth(options);
  return account;
}
