import { systemClock } from '../lib/clock';
import { type Environment, SettingsReader } from '../lib/settings-reader';
import { baseUrlFlaw, mendedBaseUrl } from '../models/base-url';
import { fitsPattern } from '../models/model-policy';
import type { ListedModel } from '../models/own-server';
import { keptModels } from '../providers/openai/server-models';

/** Models that a server behind `OPENAI_BASE_URL` serves, or the reason for not knowing them. */
export type Probed =
  | { readonly url: string; readonly models: readonly string[]; readonly defaultModel: string | undefined }
  | { readonly url: string; readonly error: string };

/** A start waits no longer: a server on this machine answers within milliseconds. */
const PROBE_MAX_MS = 2_000;
/** The setting has this model of OpenAI's where nothing else is named. */
const USUAL = 'gpt-5.4-mini';

/** Asks the server of `OPENAI_BASE_URL`, where that is all that is set, for its models; repeats nothing but their ids. */
export async function probeBaseUrl(env: Environment, maxMs = PROBE_MAX_MS): Promise<Probed | undefined> {
  const { text } = new SettingsReader(env);
  const url = mendedBaseUrl(text('OPENAI_BASE_URL'), 'openai');
  const others = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'GEMINI_API_KEY', 'GEMINI_BASE_URL', 'MODEL_OVERRIDES'];
  const isAlone = ['DEFAULT_MODEL', ...others].every((name) => ['', 'none'].includes(text(name)));
  if (!isAlone || baseUrlFlaw(url) !== undefined) return undefined;
  const server = { baseUrl: url, apiKey: text('OPENAI_API_KEY') };
  const { value: models = [], error } = await keptModels(server, { maxMs, freshMs: 0 }, systemClock)();
  if (error) return { url, error: error.message };
  return { url, models: models.map(({ id }) => id), defaultModel: defaultOf(models, text('MODELS_ALLOWED')) };
}

/** The first that chats and is allowed. */
function defaultOf(models: readonly ListedModel[], allowed: string): string | undefined {
  const patterns = allowed.split(',').map((pattern) => pattern.trim());
  const chatting = models.filter(({ chats }) => chats).map(({ id }) => id);
  const usable = chatting.filter((id) => allowed === '' || fitsPattern(id, patterns));
  return usable.includes(USUAL) ? USUAL : usable[0];
}
