import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineSecret } from 'firebase-functions/params';
import { type KeyRing, parseKeyRing } from './byok/key-ring';
import { virtualModel } from './endpoints/virtual-models';
import { type Pepper, parsePeppers } from './guard/api-key';
import type { LogLevel } from './lib/log';
import type { ModelOverride } from './models/catalog';
import { parseEndpointKeys, parseModelOverrides } from './models/model-overrides';

/** Access to one provider; null when it is not configured. */
export interface ProviderAccess {
  readonly apiKey: string;
  readonly baseUrl?: string;
}

/** Every setting of the service, read once and frozen. */
export interface Config {
  readonly openai: ProviderAccess | null;
  readonly anthropic: ProviderAccess | null;
  readonly google: ProviderAccess | null;
  /** What `MODEL_OVERRIDES` says of models. */
  readonly models: readonly ModelOverride[];
  /** OpenAI-compatible endpoints of `MODEL_OVERRIDES` by name, with their keys of `ENDPOINT_KEYS`. */
  readonly endpoints: Readonly<Record<string, ProviderAccess>>;
  /** Absent: chosen from the providers that are configured. */
  readonly defaultModel?: string;
  readonly defaultPanel: readonly string[];
  /** The one model router that users' own keys are for: an OpenAI-compatible base URL, without a slash at its end. */
  readonly routerBaseUrl: string;
  /** What seals users' router keys, newest first; empty when `ROUTER_KEY_SECRET` is not set. */
  readonly routerKeyRing: KeyRing;
  readonly keyPrefix: string;
  /** Newest first; empty when `KEY_PEPPER` is not set. */
  readonly peppers: readonly Pepper[];
  readonly corsOrigins: readonly string[];
  readonly store: 'embedded' | 'firestore';
  /** Used by the store `firestore`. `emulated`: the SDK goes to the emulator at `FIRESTORE_EMULATOR_HOST`. */
  readonly firestore: { readonly projectId: string; readonly emulated: boolean };
  readonly dataDirectory: string;
  readonly logLevel: LogLevel;
  /** Set on Cloud Functions: the project whose traces log lines belong to. */
  readonly cloudProject?: string;
}

/** Sent to servers that need no key: the SDKs still want some. */
const NO_KEY = 'none';

/** Stands for "not set" in Secret Manager, where every secret of the function must exist and none may be empty. */
const UNSET_SECRET = 'none';

/**
 * The secrets the function is deployed with. The emulators of a `demo-` project would look for each in Secret Manager,
 * in vain; there they come from the environment. Everything else is plain environment (`functions/.env` and
 * `.env.<project>`, which `firebase deploy` reads): declared params would be asked for one by one.
 */
export const SECRETS = process.env['GCLOUD_PROJECT']?.startsWith('demo-')
  ? []
  : ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'ENDPOINT_KEYS', 'KEY_PEPPER', 'ROUTER_KEY_SECRET'].map(
      (name) => defineSecret(name),
    );

/**
 * How many instances of `api` there may be: `MIN_INSTANCES`, `MAX_INSTANCES`. Read when the function is deployed.
 * The upper bound is one on cost too: without it a flood of requests may start a hundred.
 */
export const SCALING = {
  minInstances: wholeNumber('MIN_INSTANCES', 0),
  maxInstances: wholeNumber('MAX_INSTANCES', 20),
};

const DEFAULT_ROUTER_BASE_URL = 'https://openrouter.ai/api/v1';

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];

/** Reads the settings; throws with the setting's name when one cannot be used. Secrets are environment variables at run time. */
export function readConfig(env: Environment): Config {
  const text = (name: string): string => (env[name] ?? '').trim();
  const secret = (name: string): string => (text(name) === UNSET_SECRET ? '' : text(name));
  const defaultModel = text('DEFAULT_MODEL');
  return Object.freeze({
    openai: access(secret('OPENAI_API_KEY'), url(text, 'OPENAI_BASE_URL')),
    anthropic: access(secret('ANTHROPIC_API_KEY'), url(text, 'ANTHROPIC_BASE_URL')),
    google: access(secret('GEMINI_API_KEY'), url(text, 'GEMINI_BASE_URL')),
    ...modelSettings(text('MODEL_OVERRIDES'), secret('ENDPOINT_KEYS')),
    ...(defaultModel !== '' && { defaultModel }),
    defaultPanel: list(text('DEFAULT_PANEL')),
    routerBaseUrl: routerBaseUrl(text('ROUTER_BASE_URL') || DEFAULT_ROUTER_BASE_URL),
    routerKeyRing: parseKeyRing(secret('ROUTER_KEY_SECRET')),
    keyPrefix: keyPrefix(text('API_KEY_PREFIX') || 'ens'),
    peppers: parsePeppers(secret('KEY_PEPPER')),
    corsOrigins: list(text('CORS_ORIGINS') || '*'),
    store: storeKind(env),
    firestore: {
      projectId: text('GCLOUD_PROJECT') || 'demo-ensemble',
      emulated: text('FIRESTORE_EMULATOR_HOST') !== '',
    },
    dataDirectory: resolve(text('DATA_DIR') || '.data'),
    ...(text('K_SERVICE') !== '' && { cloudProject: text('GCLOUD_PROJECT') }),
    logLevel: oneOf(LOG_LEVELS, text('LOG_LEVEL') || 'info', 'LOG_LEVEL'),
  });
}

/**
 * Loads `functions/.env.local` and `functions/.env` where they are there; variables that are already set win. In
 * production the platform sets them, from the same `.env`. Keys belong in `.env.local`, which is never deployed.
 */
export function loadLocalEnvironment(directory: string): void {
  for (const file of [join(directory, '.env.local'), join(directory, '.env')]) {
    if (existsSync(file)) process.loadEnvFile(file);
  }
}

function modelSettings(overrides: string, endpointKeys: string): Pick<Config, 'models' | 'endpoints'> {
  const { models, endpoints } = parseModelOverrides(overrides);
  const virtual = models.findIndex(({ id }) => virtualModel(id));
  if (virtual >= 0) throw new Error(`MODEL_OVERRIDES.models[${virtual}].id: is the id of a virtual model`);
  const keys = parseEndpointKeys(endpointKeys, Object.keys(endpoints));
  const accesses = Object.entries(endpoints).map(([name, { baseUrl }]) => [
    name,
    { apiKey: keys.get(name) ?? NO_KEY, baseUrl },
  ]);
  return { models, endpoints: Object.fromEntries(accesses) };
}

function url(text: (name: string) => string, name: string): string {
  const value = text(name);
  if (value !== '' && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new Error(`${name} must be an http or https URL`);
  }
  return value;
}

/** Users' keys go there: only over TLS, or to a server on this machine. */
function routerBaseUrl(value: string): string {
  const parsed = URL.parse(value);
  const isLocal = parsed?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
  const isPlain = parsed?.username === '' && parsed.password === '' && parsed.search === '' && parsed.hash === '';
  if (!parsed || !isPlain || !(parsed.protocol === 'https:' || isLocal)) {
    throw new Error('ROUTER_BASE_URL must be an https URL (http only on this machine) without user, query or fragment');
  }
  return value.replace(/\/+$/, '');
}

/** A server that needs no key (Ollama, vLLM) is configured by its URL alone. */
function access(apiKey: string, baseUrl: string): ProviderAccess | null {
  if (apiKey === '' && baseUrl === '') return null;
  return { apiKey: apiKey || NO_KEY, ...(baseUrl !== '' && { baseUrl }) };
}

/** Firestore on Cloud Functions and beside its emulator, else the embedded store. */
function storeKind(env: Environment): Config['store'] {
  const named = (env['STORE'] ?? '').trim();
  if (named !== '') return oneOf(['embedded', 'firestore'], named, 'STORE');
  return env['K_SERVICE'] || env['FIRESTORE_EMULATOR_HOST'] ? 'firestore' : 'embedded';
}

function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name]?.trim() || String(fallback);
  if (!/^\d{1,4}$/.test(text)) throw new Error(`${name} must be a whole number`);
  return Number(text);
}

function keyPrefix(prefix: string): string {
  if (!/^[a-z0-9]{1,16}$/.test(prefix)) throw new Error('API_KEY_PREFIX must be 1 to 16 lowercase letters or digits');
  return prefix;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new Error(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
