import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../config';
import { fileOf, loadLocalEnvironment } from '../env-files';
import { systemClock } from '../lib/clock';
import { describeError } from '../lib/describe-error';
import { SettingsError } from '../lib/settings-reader';
import { isEndpoint, type ModelRow } from '../models/catalog';
import type { ProviderCall } from '../models/model';
import { ModelFault, type ModelFaultKind } from '../models/model-fault';
import { createProviderTable, PROTOCOLS } from '../providers/provider-table';
import { createServices, type Services } from '../services';
import { probeBaseUrl } from './base-url-probe';
import { speakersOf } from './speakers';

interface Finding {
  readonly check: string;
  /** `warning`: it works, but perhaps not as somebody thinks. */
  readonly status: 'ok' | 'warning' | 'wrong';
  /** A fact in words, without a key or anything that an upstream has said. */
  readonly says: string;
  readonly mend?: string;
}

/** Findings, and the models that `--call` asks for a word. */
interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly callable: readonly string[];
}

const CALL_MAX_MS = 30_000;
/** Enough for models that think before they write one. */
const OUTPUT_TOKENS_MAX = 256;
const STORE_MAX_MS = 10_000;
const NOBODY = 'doctor';

/** Looks at the settings and at what they lead to. Never rejects. */
async function diagnose(env: NodeJS.ProcessEnv, isCalling: boolean): Promise<Diagnosis> {
  try {
    loadLocalEnvironment(process.cwd());
    const server = await serverFindings(env);
    readConfig(env);
    const container = createServices(readConfig({ ...env, LOG_LEVEL: 'silent' }));
    const callable = modelsToCall(container);
    const called = isCalling ? await callModels(container, callable) : [];
    const settings: Finding = { check: 'settings', status: 'ok', says: 'all can be used' };
    const findings = [settings, ...server, modelFinding(container, env), ...called, await storeFinding(container)];
    return { findings, callable: callable.map(({ id }) => id) };
  } catch (error) {
    const flaws = error instanceof SettingsError ? error.message.split('\n') : [`It cannot start: ${nameOf(error)}`];
    return { findings: flaws.map((flaw) => wrongSetting(flaw, env)), callable: [] };
  }
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
    const says = `${probed.url} names no model that can be asked`;
    return [{ check, status: 'wrong', says, mend: 'set DEFAULT_MODEL' }];
  }
  // As npm start takes it.
  env['DEFAULT_MODEL'] = probed.defaultModel;
  return [{ check, status: 'ok', says: `${probed.url} serves ${probed.models.length} models` }];
}

/** Models that answer where a request names none, and what is to be known of them. */
function modelFinding(container: Services, env: NodeJS.ProcessEnv): Finding {
  const { real, arbiter, panel, bills, unpriced } = speakersOf(container, env);
  const check = 'models';
  if (!real) {
    const mend = 'OPENAI_API_KEY=… npm start, or put a key into functions/.env.local';
    return { check, status: 'warning', says: 'no provider is configured: the scripted demo models answer', mend };
  }
  const who = `panel ${panel.join(', ')}; arbiter ${arbiter}; paid by ${bills.join('; ')}`;
  if (unpriced.length === 0) return { check, status: 'ok', says: who };
  const says = `${who}; without a known price, listed at cost 0: ${unpriced.join(', ')}`;
  return { check, status: 'warning', says, mend: 'name prices in MODEL_OVERRIDES: docs/models.md' };
}

async function storeFinding({ store, config }: Services): Promise<Finding> {
  const { firestore, dataDirectory } = config;
  const isEmbedded = config.store === 'embedded';
  const place = isEmbedded ? `embedded, in ${dataDirectory}` : `Firestore, project ${firestore.projectId}`;
  const late = pause(STORE_MAX_MS, `no answer within ${STORE_MAX_MS / 1_000} s`);
  const read = store.getSubscription(NOBODY).then(
    () => undefined,
    (error: unknown) => describeError(rootOf(error)),
  );
  const failure = await Promise.race([read, late]);
  const check = 'store';
  if (failure === undefined) return { check, status: 'ok', says: `${place}: readable` };
  const remote = firestore.emulatorHost !== '' ? 'npm run emulators' : 'gcloud auth application-default login';
  return { check, status: 'wrong', says: `${place}: ${failure}`, mend: isEmbedded ? 'correct DATA_DIR' : remote };
}

/** The cause at the bottom: above it a store only says that it failed. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}

/** An error by its name and code: its message may quote anything. */
function nameOf(error: unknown): string {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return [name, code].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}

/** One model of each provider that is configured: of the panel and its arbiter first, then of those on offer. */
function modelsToCall({ offered, catalog, config }: Services): ModelRow[] {
  const speaking = [offered.defaultModel, ...offered.defaultPanel].map(catalog.modelOf);
  const rows = [...speaking, ...offered.offeredModels].filter(({ provider }) => provider in config.providers);
  return rows.filter((row, at) => rows.findIndex(({ provider }) => provider === row.provider) === at);
}

/** Asks each for a word. What a provider says is not repeated, only what kind of answer it was. */
function callModels({ config }: Services, models: readonly ModelRow[]): Promise<Finding[]> {
  const provider = createProviderTable(config.providers, systemClock);
  return Promise.all(
    models.map(async (model): Promise<Finding> => {
      const check = 'provider';
      const fault = await provider(model.provider)
        .run(wordFrom(model), NOTHING)
        .then(() => undefined, faultOf);
      if (fault === undefined) return { check, status: 'ok', says: `${model.id} answers` };
      const says = `${model.id}: ${fault.replaceAll('_', ' ')}`;
      return { check, status: 'wrong', says, mend: mendOf(fault, model) };
    }),
  );
}

const wordFrom = ({ providerModel }: ModelRow): ProviderCall => ({
  providerModel,
  prompt: { turns: [{ role: 'user', text: 'Reply with the word OK.' }] },
  sampling: {},
  purpose: 'answer',
  outputTokensMax: OUTPUT_TOKENS_MAX,
  signal: AbortSignal.timeout(CALL_MAX_MS),
});
const ignore = (): undefined => undefined;
const NOTHING = {
  ...{ text: ignore, toolCall: ignore, pending: ignore, usage: ignore, web: ignore, alive: ignore, thought: ignore },
};

function faultOf(error: unknown): ModelFaultKind {
  const kind = error instanceof ModelFault ? error.kind : 'network';
  return kind === 'aborted' ? 'timeout' : kind;
}

const MENDS: Readonly<Partial<Record<ModelFaultKind, string>>> = {
  not_found: 'set DEFAULT_MODEL and DEFAULT_PANEL to models that it serves: curl <base URL>/models lists them',
  rate_limited: 'wait a minute; if it stays so, look at the quota and the billing of the account',
  out_of_credit: 'the account has no credit left: look at its billing',
  wrong_address: 'correct the base URL: it ends where /chat/completions begins (OPENAI_BASE_URL: in /v1 or the like)',
  network: 'look at the connection and the base URL: curl -sSI <base URL>',
  timeout: 'look at the connection and the base URL: curl -sSI <base URL>',
};

function mendOf(fault: ModelFaultKind, { provider }: ModelRow): string {
  if (fault !== 'unauthorized') return MENDS[fault] ?? 'try again later: npm run doctor -- --call';
  const isKnown = provider !== 'scripted' && provider !== 'router';
  const key = isKnown ? (isEndpoint(provider) ? 'ENDPOINT_KEYS' : PROTOCOLS[provider].keyVariable) : 'the key';
  return `correct ${key} (functions/.env.local, or the shell)`;
}

void diagnose(process.env, process.argv.includes('--call')).then((diagnosis) => {
  console.log(JSON.stringify(diagnosis));
  // A store that cannot be reached must not keep the program waiting.
  process.exit(0);
});
