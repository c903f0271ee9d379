import { fileOf } from '../env-files';
import { SettingsReader } from '../lib/settings-reader';
import { isEndpoint, type ModelRow } from '../models/catalog';
import { ratesOf } from '../models/prices';
import { PROTOCOLS } from '../providers/provider-table';
import type { Services } from '../services';

/** Models that answer when a request names none, and who pays for them. */
export interface Speakers {
  /** True if a provider's models answer, not the demo ones. */
  readonly real: boolean;
  readonly arbiter: string;
  readonly panel: readonly string[];
  /** For each provider of those models, in words. */
  readonly bills: readonly string[];
  readonly unpriced: readonly string[];
}

type Parts = Pick<Services, 'catalog' | 'config' | 'clock' | 'offered'>;

const NAMES = { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' } as const;

/** Finds the places of keys and addresses: looked up in `env` and in the files that it was filled from, in this folder. */
export function speakersOf({ catalog, config, clock, offered }: Parts, env: NodeJS.ProcessEnv): Speakers {
  const { defaultModel: arbiter, defaultPanel: panel } = offered;
  const rows = [...new Set([arbiter, ...panel])].map(catalog.modelOf);
  const nowMs = clock.nowMs();
  return {
    real: Object.keys(config.providers).length > 0,
    arbiter,
    panel,
    bills: [...new Set(rows.map((row) => billOf(row, env)))],
    unpriced: rows.filter((row) => row.provider !== 'scripted' && ratesOf(row, nowMs) === null).map(({ id }) => id),
  };
}

function billOf({ provider }: ModelRow, env: NodeJS.ProcessEnv): string {
  if (provider === 'scripted') return 'nobody: the demo models are scripted';
  if (provider === 'router') return 'the router’s key of each user';
  if (isEndpoint(provider)) return `${provider.replace(':', ' ')}, of MODEL_OVERRIDES`;
  const { keyVariable, urlVariable } = PROTOCOLS[provider];
  const settings = new SettingsReader(env);
  const url = settings.text(urlVariable);
  const file = fileOf(process.cwd(), keyVariable, env[keyVariable]);
  const whose = settings.key(keyVariable) === '' ? 'without a key' : `${keyVariable} in ${file ?? 'your shell'}`;
  return `${url ? new URL(url).host : NAMES[provider]}, ${whose}`;
}
