import { readConfig } from '../../config';
import { type Container, createContainer } from '../../container';
import { fileOf, loadLocalEnvironment } from '../../env-files';
import { sleep, systemClock } from '../../lib/clock';
import { describeError } from '../../lib/describe-error';
import { SettingsError } from '../../lib/settings-reader';
import { limitWarning } from '../../store/store-settings';
import { probeBaseUrl } from '../base-url-probe';
import { type Speakers, speakersOf } from '../speakers';
import { callModels, modelsToCall } from './call-models';
import { clockFinding } from './clock';
import type { Finding } from './finding';

/** What was found, and the models that `call` asks a word of. */
export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly callable: readonly string[];
}

const STORE_MAX_MS = 10_000;
const NOBODY = 'doctor';
const USABLE: Finding = { check: 'settings', status: 'ok', says: 'all can be used' };

/** Looks at the settings and at what they lead to. Never rejects. `call`: each model of the panel is asked for a word. */
export async function diagnose(env: NodeJS.ProcessEnv, { call }: { readonly call: boolean }): Promise<Diagnosis> {
  try {
    loadLocalEnvironment(process.cwd());
    const server = await serverFindings(env);
    readConfig(env);
    const container = createContainer(readConfig({ ...env, LOG_LEVEL: 'silent' }));
    return await lookAt(container, { env, call, before: [USABLE, ...server] });
  } catch (error) {
    const flaws = error instanceof SettingsError ? error.message.split('\n') : [`It cannot start: ${nameOf(error)}`];
    return { findings: flaws.map((flaw) => wrongSetting(flaw, env)), callable: [] };
  }
}

interface Look {
  readonly env: NodeJS.ProcessEnv;
  readonly call: boolean;
  readonly before: readonly Finding[];
}

async function lookAt(container: Container, { env, call, before }: Look): Promise<Diagnosis> {
  const speakers = speakersOf(container, env);
  const callable = modelsToCall(container);
  const store = await storeFinding(container);
  const called = call ? await callModels(container, callable) : [];
  const clock = await clockFinding(container, { call, store });
  const findings = [...before, ...modelFindings(speakers), ...called, store, ...limitFindings(container), clock];
  void container.store.close();
  return { findings, callable: callable.map(({ id }) => id) };
}

/** The setting that a flaw names, and where it stands. */
function wrongSetting(says: string, env: NodeJS.ProcessEnv): Finding {
  const [name = ''] = /^[A-Z][A-Z_]+|(?<=is set by )[A-Z_]+/.exec(says) ?? [];
  const file = env[name] === undefined ? undefined : fileOf(process.cwd(), name, env[name]);
  const unset = process.platform === 'win32' ? `set ${name}=` : `unset ${name}`;
  const another = name === '' ? 'docs/configuration.md says what may be set' : `set ${name}: docs/configuration.md`;
  const inShell = env[name] === undefined ? another : `${unset}, or set another`;
  return { check: 'settings', status: 'wrong', says, mend: file ? `correct ${name} in ${file}` : inShell };
}

async function serverFindings(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const probed = await probeBaseUrl(env);
  if (!probed) return [];
  const check = 'server';
  if ('error' in probed) {
    const mend = 'start that server, or correct OPENAI_BASE_URL or OPENAI_API_KEY';
    return [{ check, status: 'wrong', says: `${probed.url}: ${probed.error}`, mend }];
  }
  if (!probed.defaultModel) {
    return [
      { check, status: 'wrong', says: `${probed.url} names no model that can be asked`, mend: 'set DEFAULT_MODEL' },
    ];
  }
  // As npm start takes it.
  env['DEFAULT_MODEL'] = probed.defaultModel;
  return [{ check, status: 'ok', says: `${probed.url} serves ${probed.models.length} models` }];
}

function modelFindings({ real, arbiter, panel, bills, unpriced }: Speakers): Finding[] {
  const who = `panel ${panel.join(', ')}; arbiter ${arbiter}; paid by ${bills.join('; ')}`;
  const mend = 'OPENAI_API_KEY=… npm start, or put a key into functions/.env.local';
  return [
    real
      ? { check: 'models', status: 'ok', says: who }
      : {
          check: 'models',
          status: 'warning',
          says: `no provider is configured: the scripted demo models answer`,
          mend,
        },
    ...(real && unpriced.length === 0
      ? [{ check: 'prices', status: 'ok', says: 'known for all of them' } as const]
      : []),
    ...unpriced.map((id) => ({
      check: 'prices',
      status: 'warning' as const,
      says: `${id} has no known price: its calls are listed at cost 0 and escape every budget`,
      mend: `MODEL_OVERRIDES='{"models": [{"id": ${JSON.stringify(id)}, "price": {"inputUsdPerMillion": 0, "outputUsdPerMillion": 0}}]}'`,
    })),
  ];
}

async function storeFinding({ store, config }: Container): Promise<Finding> {
  const { firestore, dataDirectory } = config;
  const isEmbedded = config.store === 'embedded';
  const place = isEmbedded ? `embedded, in ${dataDirectory}` : `Firestore, project ${firestore.projectId}`;
  const inTime = sleep(systemClock, STORE_MAX_MS).then(() => `no answer within ${STORE_MAX_MS / 1_000} s`);
  // The timer of the clock does not keep the process alive.
  const awake = setTimeout(() => undefined, STORE_MAX_MS);
  const failure = await Promise.race([
    store.getSubscription(NOBODY).then(
      () => undefined,
      (error: unknown) => describeError(rootOf(error)),
    ),
    inTime,
  ]);
  clearTimeout(awake);
  if (failure === undefined) return { check: 'store', status: 'ok', says: `${place}: readable` };
  const remote = firestore.emulatorHost !== '' ? 'npm run emulators' : 'gcloud auth application-default login';
  return {
    check: 'store',
    status: 'wrong',
    says: `${place}: ${failure}`,
    mend: isEmbedded ? 'correct DATA_DIR' : remote,
  };
}

function limitFindings({ config }: Container): Finding[] {
  const says = limitWarning(config);
  return says ? [{ check: 'limits', status: 'warning', says, mend: 'set RATE_LIMIT_RPM to 60 or less' }] : [];
}

/** What lies at the bottom: above it a store only says that it failed. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}

/** An error by its name and code: its message may quote anything. */
function nameOf(error: unknown): string {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return [name, code].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}
