// The APIs of Google, asked with the Firebase CLI's sign-in by its own modules in this process: starting the CLI takes seconds.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { firebaseCommand } from './firebase-cli.mjs';

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
