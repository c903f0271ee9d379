import type { Clock } from '../../lib/clock';
import { visibleText } from '../../lib/foreign-text';
import { parsedJson } from '../../lib/json';
import type { Ability } from '../../models/catalog';
import type { KeptList, ListedModel, ServerList } from '../../models/own-server';
import type { ProviderOptions } from '../transport/adapter';
import { countOf, type Fields, fieldsOf, listOf, textOf } from '../transport/reply-fields';
import { bodyText, upstreamResponse } from '../transport/upstream-request';

const CHARACTERS_MAX = 200;
const LIST_MAX_BYTES = 4 * 1024 * 1024;
const MODELS_MAX = 2_000;
/** Ids and types of models that answer no chat message. */
const NO_CHAT = /embed|rerank|whisper|moderation|dall-e|minilm|(?<![a-z])(?:tts|image|bge|clip)(?![a-z])/i;
/** Names of the context window, the one that the server holds to before the one of the model. */
const CONTEXTS = ['n_ctx', 'max_model_len', 'context_length', 'context_window', 'max_context_length'];

/** Spans of a list: of one reading, its age at most, and the pause after a failure. */
interface ListTimes {
  readonly maxMs: number;
  readonly freshMs: number;
  readonly retryMs?: number;
}

/** Makes a reader of a server's list, which is kept: one reading for all who ask, and the last list while none succeeds. */
export function keptModels(
  server: Partial<ProviderOptions>,
  { maxMs, freshMs, retryMs = 0 }: ListTimes,
  clock: Clock,
): KeptList {
  let last: ServerList = {};
  let nextMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  return async () => {
    if (clock.monotonicMs() >= nextMs) {
      reading ??= readAnew();
      await reading;
    }
    return last;
  };

  async function readAnew(): Promise<void> {
    const timeout = new AbortController();
    const late = new NoList(`it did not answer within ${maxMs} ms`);
    const cancel = clock.after(maxMs, () => timeout.abort(late));
    try {
      last = { value: await readModels(server, timeout.signal), readAtMs: clock.nowMs() };
    } catch (error) {
      last = { ...last, error: new NoList(reasonOf(timeout.signal.aborted ? late : error)) };
    }
    cancel();
    nextMs = clock.monotonicMs() + (last.error ? retryMs : freshMs);
    reading = undefined;
  }
}

class NoList extends Error {}

/** Asks a server that speaks OpenAI's API for its models. */
async function readModels(
  { apiKey = '', baseUrl }: Partial<ProviderOptions>,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const headers = ['', 'none'].includes(apiKey) ? {} : { authorization: `Bearer ${apiKey}` };
  const response = await upstreamResponse({ url: `${baseUrl}/models`, headers, signal });
  const { statusCode: status = 0 } = response;
  if (status < 200 || status >= 300) {
    response.destroy();
    throw new NoList(`it answers GET /models with status ${status}${hintOf(status)}`);
  }
  const models = modelsIn(parsedJson(await bodyText(response, LIST_MAX_BYTES)));
  if (!models) throw new NoList('what it answers to GET /models is no list of models');
  return models;
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ': it wants a key (OPENAI_API_KEY)';
  if (status === 404) return ': the URL may lack its last part, which is mostly /v1';
  return '';
}

/** Models of a list as OpenAI has it, or of a bare one; ids that no terminal can show are left out. @internal */
export function modelsIn(body: unknown): readonly ListedModel[] | undefined {
  const { data, models } = fieldsOf(body);
  const entries = [body, data, models].find((list) => Array.isArray(list));
  // llama.cpp tells what a model can in a second list.
  const more = new Map(listOf(models).map((entry) => [fieldsOf(entry)['name'], fieldsOf(entry)['capabilities']]));
  const read = entries?.slice(0, MODELS_MAX).flatMap((entry) => modelOf(fieldsOf(entry), more));
  return read && [...new Map(read.map((model) => [model.id, model])).values()];
}

function modelOf(entry: Fields, more: ReadonlyMap<unknown, unknown>): ListedModel[] {
  const { type, architecture, capabilities: can = more.get(entry['id']) } = entry;
  const id = entry['id'] ?? entry['name'];
  if (typeof id !== 'string' || id.trim() !== id || id === '' || id.length > CHARACTERS_MAX) return [];
  if (visibleText(id) !== id) return [];
  const sees = [listHas(fieldsOf(architecture)['input_modalities'], 'image'), fieldsOf(can)['vision']];
  const calls = [listHas(entry['supported_parameters'], 'tools'), fieldsOf(can)['function_calling']];
  const window = { ...entry, ...fieldsOf(entry['meta']) };
  const contextTokens = CONTEXTS.map((name) => countOf(window[name])).find((tokens) => tokens && tokens > 0) ?? null;
  return [
    {
      id,
      name: plainName(textOf(entry['name'])) || id,
      chats: !NO_CHAT.test(id) && !NO_CHAT.test(textOf(type)),
      contextTokens,
      vision: firstSaid(...sees, listHas(can, 'multimodal') || undefined),
      tools: firstSaid(...calls),
      price: priceOf(fieldsOf(entry['pricing'])),
    },
  ];
}

function firstSaid(...said: readonly unknown[]): Ability {
  return said.find((each) => typeof each === 'boolean') ?? 'unknown';
}

function listHas(list: unknown, name: string): boolean | undefined {
  return Array.isArray(list) ? list.includes(name) : undefined;
}

/** Dollars for a million tokens, of those for one in digits; null where they depend on something. */
function priceOf({ prompt, completion }: Fields): ListedModel['price'] {
  const [inputUsdPerMillion = -1, outputUsdPerMillion = -1] = [prompt, completion].map((usd) =>
    /^\d/.test(textOf(usd)) ? Number((Number(usd) * 1e6).toFixed(6)) : -1,
  );
  const isKnown = inputUsdPerMillion >= 0 && outputUsdPerMillion >= 0;
  return isKnown ? { inputUsdPerMillion, outputUsdPerMillion } : null;
}

/** Names are shown to people and written into prompts and status lines: one line, nothing invisible. */
function plainName(name: string): string {
  const line = name.toWellFormed().replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return line.trim().slice(0, CHARACTERS_MAX).toWellFormed();
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

/** Words for why a server gave no list. An error may quote the request, and with it the key: its code alone is told. */
function reasonOf(error: unknown): string {
  if (error instanceof NoList) return error.message;
  if (error instanceof RangeError) return 'its list of models is too long';
  const { code } = error as { code?: unknown };
  const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
  if (known === undefined) return 'it cannot be asked';
  return REASONS[known] ?? `it cannot be asked (${known})`;
}
