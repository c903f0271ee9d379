// The values of secrets that a project lacks: from the environment, else asked for, else made or `none`.
import { randomBytes } from 'node:crypto';

const ORIGIN = 'secretManagerOrigin';
/** Stands for "not set": every secret that a function names must exist, and none may be empty. */
const UNSET = 'none';
const PROVIDER_KEYS = { OPENAI_API_KEY: 'OpenAI', ANTHROPIC_API_KEY: 'Anthropic', GEMINI_API_KEY: 'Gemini' };
const BASE_URLS = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'MODEL_OVERRIDES'];

/** Those of the secrets that have no enabled version. */
export async function missingSecrets(google, project, names) {
  const isSet = async (name) => {
    const { versions = [] } = (await google.get(ORIGIN, `/v1/projects/${project}/secrets/${name}/versions`)) ?? {};
    return versions.some(({ state }) => state === 'ENABLED');
  };
  const areSet = await Promise.all(names.map(isSet));
  return names.filter((_, at) => !areSet[at]);
}

/** The command that sets a missing secret by hand: docs/configuration.md says to what. */
export function secretProblem(name, project) {
  return `The secret ${name}: npm run firebase -- functions:secrets:set ${name} --project ${project}`;
}

/** A value for each of the names. `ask` asks a person for a provider's key, and is left out where there is nobody. */
export async function valuesOfSecrets(names, env, ask) {
  const values = {};
  for (const name of names) {
    const provider = PROVIDER_KEYS[name];
    const given =
      env[name]?.trim() || (ask && provider && (await ask(`${provider} API key (not shown; Enter for none):`)));
    values[name] = given?.trim() || (name === 'KEY_PEPPER' ? randomBytes(32).toString('base64') : UNSET);
  }
  return values;
}

/** True if nobody could answer: every provider's key is to be `none`, and no server is named in the settings. */
export function hasNoProvider(values, settings) {
  const isNone = Object.keys(PROVIDER_KEYS).every((name) => values[name] === UNSET);
  return isNone && !BASE_URLS.some((name) => settings[name]);
}

/** Makes the secrets unless they are there, as after an interrupted run, and adds a version to each. */
export async function writeSecrets(google, project, values) {
  const secrets = `/v1/projects/${project}/secrets`;
  await google.enableSecrets();
  for (const [name, value] of Object.entries(values)) {
    const made = { replication: { automatic: {} }, labels: { 'firebase-managed': 'functions' } };
    if (!(await google.get(ORIGIN, `${secrets}/${name}`)))
      await google.send(ORIGIN, `POST ${secrets}?secretId=${name}`, made);
    const payload = { data: Buffer.from(value).toString('base64') };
    await google.send(ORIGIN, `POST ${secrets}/${name}:addVersion`, { payload });
    console.log(`Secret ${name}: ${value === UNSET ? 'none' : 'set'}`);
  }
}

export async function readSecret(google, project, name) {
  const { payload } = await google.send(ORIGIN, `GET /v1/projects/${project}/secrets/${name}/versions/latest:access`);
  return Buffer.from(payload.data, 'base64').toString();
}
