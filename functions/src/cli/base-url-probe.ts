import { visibleText } from '../lib/foreign-text';
import { type Environment, SettingsReader } from '../lib/settings-reader';
import { baseUrlFlaw, mendedBaseUrl } from '../models/base-url';
import { fitsPattern } from '../models/model-policy';
import { bodyText, upstreamResponse } from '../providers/transport/upstream-request';

/** Models that a server behind `OPENAI_BASE_URL` serves, or the reason for not knowing them. */
export type Probed =
  | { readonly url: string; readonly models: readonly string[]; readonly defaultModel: string | undefined }
  | { readonly url: string; readonly error: string };

/** A start waits no longer: a server on this machine answers within milliseconds. */
const PROBE_MAX_MS = 2_000;
const ID_CHARACTERS_MAX = 200;
const LIST_MAX_BYTES = 4 * 1024 * 1024;
/** The setting has this model of OpenAI's where nothing else is named. */
const USUAL = 'gpt-5.4-mini';
/** Ids of models that answer no chat message. */
const NO_CHAT = /embed|rerank|whisper|tts|moderation|dall-e|image|bge-|minilm|clip/i;

/** Asks the server of `OPENAI_BASE_URL`, where that is all that is set, for its models; repeats nothing but their ids. */
export async function probeBaseUrl(env: Environment, maxMs = PROBE_MAX_MS): Promise<Probed | undefined> {
  const { text } = new SettingsReader(env);
  const url = mendedBaseUrl(text('OPENAI_BASE_URL'), 'openai');
  const others = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'GEMINI_API_KEY', 'GEMINI_BASE_URL', 'MODEL_OVERRIDES'];
  const isAlone = ['DEFAULT_MODEL', ...others].every((name) => ['', 'none'].includes(text(name)));
  if (!isAlone || baseUrlFlaw(url) !== undefined) return undefined;
  const signal = AbortSignal.timeout(maxMs);
  try {
    const models = await modelsAt(url, { key: text('OPENAI_API_KEY'), signal });
    return { url, models, defaultModel: defaultOf(models, text('MODELS_ALLOWED')) };
  } catch (error) {
    return { url, error: reasonOf(signal.aborted ? signal.reason : error, maxMs) };
  }
}

class NoList extends Error {}

async function modelsAt(url: string, { key, signal }: { key: string; signal: AbortSignal }): Promise<string[]> {
  const headers = ['', 'none'].includes(key) ? {} : { authorization: `Bearer ${key}` };
  const response = await upstreamResponse({ url: `${url}/models`, headers, signal });
  const { statusCode: status = 0 } = response;
  if (status < 200 || status >= 300) {
    response.destroy();
    throw new NoList(`it answers GET /models with status ${status}${hintOf(status)}`);
  }
  const ids = idsIn(await bodyText(response, LIST_MAX_BYTES));
  if (!ids) throw new NoList('what it answers to GET /models is no list of models');
  return ids;
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ': it wants a key (OPENAI_API_KEY)';
  if (status === 404) return ': the URL may lack its last part, which is mostly /v1';
  return '';
}

/** The ids of a list of models as OpenAI has it; those that no terminal can show are left out. */
function idsIn(body: string): string[] | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: unknown };
    if (!Array.isArray(data)) return undefined;
    const ids = data.map((row: { id?: unknown } | null) => row?.id).filter((id) => typeof id === 'string');
    return ids.filter((id) => id !== '' && id.length <= ID_CHARACTERS_MAX && visibleText(id) === id);
  } catch {
    return undefined;
  }
}

/** The first that chats and is allowed. */
function defaultOf(models: readonly string[], allowed: string): string | undefined {
  const patterns = allowed.split(',').map((pattern) => pattern.trim());
  const usable = models.filter((id) => !NO_CHAT.test(id) && (allowed === '' || fitsPattern(id, patterns)));
  return usable.includes(USUAL) ? USUAL : usable[0];
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
  ECONNRESET: 'it closed the connection',
  ERR_PROXY_TUNNEL: 'the proxy does not connect to it',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
};

/** An error may quote the request, and with it the key: its code alone is told. */
function reasonOf(error: unknown, maxMs: number): string {
  if (error instanceof NoList) return error.message;
  if (error instanceof RangeError) return 'its list of models is too long';
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError') return `it did not answer within ${maxMs} ms`;
  const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
  if (known === undefined) return 'it cannot be asked';
  return REASONS[known] ?? `it cannot be asked (${known})`;
}
