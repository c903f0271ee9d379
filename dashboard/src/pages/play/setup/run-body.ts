import type { Schema } from '../../../api/client';
import type { RunRequest } from '../../../run/run-events';
import { NEW_SETTINGS, type RunFile, type RunSettings } from './run-settings';

type Options = Schema<'EnsembleOptions'>;
type Language = NonNullable<NonNullable<Options['checks']>['language']>;

/** The body of a run of the playground: the request for a chat completion, with files. */
export interface RunBody {
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly ai_ensemble: Readonly<Partial<Omit<Options, 'models'>>> & { readonly models?: readonly string[] };
  /** Of a run that is kept without their data. */
  readonly attachments?: readonly { readonly name: string; readonly media_type: string; readonly data: string }[];
  readonly store?: boolean;
  readonly thread?: RunThread;
}

/** The place of a run in a conversation: the id of its first run, and those that the earlier answers are of. */
export interface RunThread {
  readonly id: string;
  readonly earlier?: readonly string[];
}

/** The request for the server. A number that is none is sent as it stands, so that the server says what is wrong with it. */
export function bodyOf(settings: RunSettings): RunBody {
  const { prompt, history, instructions, files, temperature, topP, arbiter, options } = settings;
  const system = instructions.trim() === '' ? [] : [{ role: 'system', content: instructions } as const];
  const said = history.filter(({ content }) => content.trim() !== '');
  return {
    model: arbiter,
    messages: [...system, ...said, { role: 'user', content: prompt }],
    ...numberOf('temperature', temperature),
    ...numberOf('top_p', topP),
    ai_ensemble: ensembleOf(settings),
    ...(files.length > 0 && { attachments: files }),
    ...(!options.keep && { store: false }),
  };
}

function ensembleOf(settings: RunSettings): RunBody['ai_ensemble'] {
  const {
    strategy,
    rounds,
    participants,
    instructions,
    shareInstructions,
    maxCostUsd,
    maxSeconds,
    graceSeconds,
    maxWords,
    language,
    options,
  } = settings;
  const { explanation, followUps, auto, webSearch } = options;
  const checks = { ...numberOf('maxWords', maxWords), ...(language !== '' && { language: language as Language }) };
  const panel = strategy !== 'single' && {
    strategy,
    ...numberOf('rounds', rounds),
    models: participants,
    ...(instructions.trim() !== '' && { shareSystemPrompt: shareInstructions }),
    ...(auto && { mode: 'auto' }),
    ...(explanation && { includeReasoning: true }),
    ...numberOf('graceSeconds', graceSeconds),
  };
  return {
    ...panel,
    ...(followUps && { includeFollowUpPrompts: true }),
    ...(webSearch && { webSearch: true }),
    ...numberOf('maxCostUsd', maxCostUsd),
    ...numberOf('maxSeconds', maxSeconds),
    ...(Object.keys(checks).length > 0 && { checks }),
    includeCandidates: true,
  };
}

function numberOf<Name extends string>(name: Name, typed: string): { readonly [name in Name]?: number } {
  if (typed.trim() === '') return {};
  return { [name]: Number(typed) } as { readonly [name in Name]: number };
}

/** The same with the type of the document, which takes fields that have a default for given. */
export function asRequest(body: RunBody): RunRequest {
  return body as unknown as RunRequest;
}

/** A request of the playground as this page makes them; undefined where a program has made it in another form. */
export function asBody(request: RunRequest): RunBody | undefined {
  const isOurs = request.messages.every(({ content }) => typeof content === 'string');
  return isOurs ? ({ ...request, ai_ensemble: request.ai_ensemble ?? {} } as RunBody) : undefined;
}

/** The settings of a run that was made, to be changed and run again. Files that were kept without their data have to be added anew. */
export function settingsOf(body: RunBody): RunSettings {
  const { model, messages, temperature, top_p: topP, ai_ensemble: ensemble, store, attachments = [] } = body;
  const instructions = messages.find(({ role }) => role === 'system')?.content ?? '';
  const said = messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]));
  const { models, strategy } = ensemble;
  return {
    ...NEW_SETTINGS,
    prompt: said.at(-1)?.content ?? '',
    history: said.slice(0, -1),
    instructions,
    files: attachments.filter(({ data }) => data !== undefined) as readonly RunFile[],
    lostFiles: attachments.filter(({ data }) => data === undefined).map(({ name }) => name),
    shareInstructions: ensemble.shareSystemPrompt ?? NEW_SETTINGS.shareInstructions,
    strategy: models === undefined ? 'single' : (strategy ?? NEW_SETTINGS.strategy),
    rounds: String(ensemble.rounds ?? 1),
    participants: models ?? [],
    arbiter: model,
    temperature: typed(temperature),
    topP: typed(topP),
    maxCostUsd: typed(ensemble.maxCostUsd),
    maxSeconds: typed(ensemble.maxSeconds),
    graceSeconds: typed(ensemble.graceSeconds),
    maxWords: typed(ensemble.checks?.maxWords),
    language: ensemble.checks?.language ?? '',
    options: {
      explanation: ensemble.includeReasoning === true,
      followUps: ensemble.includeFollowUpPrompts === true,
      auto: ensemble.mode === 'auto',
      webSearch: ensemble.webSearch === true,
      keep: store !== false,
    },
  };
}

function typed(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
