import {
  AGENT,
  DEFAULT_STRATEGY,
  STRATEGY_NAMES,
  strategyName,
  takesTools,
  virtualModel,
} from '../../ensemble/strategies/strategies';
import { editDistance } from '../../lib/edit-distance';
import { clampRounds, OPTION_NAMES } from './ensemble-options';
import type { RunFields } from './run-fields';

type Fields = Readonly<Record<string, unknown>>;

/** So much is listed: a caller who sends thousands of fields learns enough from the first. */
export const IGNORED_MAX = 20;
const CHARACTERS_MAX = 40;
const TYPOS_MAX = 2;

/** Fields of OpenAI's API that have no effect on an answer here, nor would be missed in one. */
const SILENT = new Set([
  ...['user', 'metadata', 'store', 'stream_options', 'service_tier', 'safety_identifier', 'prompt_cache_options'],
]);
/** Fields of OpenAI's API whose wish is not fulfilled, with the value by which nothing is wished for. */
const UNHEARD: Readonly<Record<string, unknown>> = {
  ...{ n: 1, stop: '', presence_penalty: 0, frequency_penalty: 0, logprobs: false, top_logprobs: 0, logit_bias: '' },
  ...{ max_tokens: '', max_completion_tokens: '', max_output_tokens: '', seed: '', verbosity: '', modalities: '' },
  ...{ tools: '', tool_choice: '', parallel_tool_calls: '', functions: '', function_call: '', reasoning_effort: '' },
  ...{ audio: '', prediction: '', web_search_options: '', response_format: '', text: '', instructions: '', prompt: '' },
  ...{ previous_response_id: '', conversation: '', include: '', truncation: 'disabled', background: false },
  ...{ messages: '', input: '' },
};

/**
 * Parts of a good request without effect, or what was done instead, in words for its sender. `heard` are the fields that
 * the endpoint acts on.
 */
export function ignoredIn(body: object, heard: readonly string[]): string[] {
  const fields = body as Fields;
  const found = notesOf(fields, (name) => (heard.includes(name) ? undefined : rootNote(name, fields[name], heard)));
  const options = fields['ai_ensemble'];
  if (typeof options === 'object' && options !== null) found.push(...optionNotes(options as Fields));
  return found.slice(0, IGNORED_MAX);
}

/** Notes on fields that hold something, as many as are listed: names are looked at no further. */
function notesOf(fields: Fields, noteOf: (name: string) => string | undefined): string[] {
  const notes: string[] = [];
  for (const name of Object.keys(fields)) {
    if (notes.length === IGNORED_MAX) break;
    const note = fields[name] === null ? undefined : noteOf(name);
    if (note !== undefined) notes.push(note);
  }
  return notes;
}

/** System messages that nobody follows, or not the arbiter, in words for their sender. */
export function ignoredInstructions({ model, messages, ai_ensemble: options }: RunFields): string[] {
  const count = messages.systemMessages.length - 1;
  if (count < 1 || virtualModel(model)) return [];
  const further = `messages: ${count} system message${count === 1 ? '' : 's'} after the first`;
  return [options.shareSystemPrompt ? `${further}, for the arbiter` : further];
}

/** Wishes without effect: those for several answers where tools are called, or for an agent where none are, and an effort nobody knows. */
export function ignoredWishes(fields: RunFields & { readonly sent: object }, strategy: string): string[] {
  const { sent, toolFields, toolOffer, reasoning, reasoning_effort: known, ai_ensemble: options } = fields;
  const { reasoning_effort: effort = null } = sent as Fields;
  const wishes = {
    'reasoning.effort': options.includeReasoning === undefined && (reasoning?.effort ?? 'none') !== 'none',
    'ai_ensemble.includeReasoning': options.includeReasoning,
    'ai_ensemble.rounds': options.rounds > 1,
    'ai_ensemble.strategy': options.strategy && (strategy === AGENT || !options.strategy.direct),
    'ai_ensemble.mode': options.mode,
  };
  const names =
    takesTools(strategy) && !asksForNothing((toolOffer ?? toolFields)?.tools, undefined) ? Object.entries(wishes) : [];
  return [
    ...names.flatMap(([name, isWished]) => (isWished ? [`${name}: no effect with tools`] : [])),
    ...(options.agent && strategy !== AGENT ? ['ai_ensemble.agent: the request offers no tools to an ensemble'] : []),
    ...(effort === null || known ? [] : [`reasoning_effort ${shown(effort)}`]),
  ];
}

function rootNote(name: string, value: unknown, heard: readonly string[]): string | undefined {
  if (SILENT.has(name)) return undefined;
  if (Object.hasOwn(UNHEARD, name)) return asksForNothing(value, UNHEARD[name]) ? undefined : name;
  if (name === 'extra_body') return 'extra_body: its fields belong in the body itself';
  if (OPTION_NAMES.includes(name)) return `${name}: belongs in ai_ensemble`;
  return unknownNote('', name, heard);
}

function asksForNothing(value: unknown, nothing: unknown): boolean {
  return value === nothing || (Array.isArray(value) && value.length === 0);
}

function optionNotes(options: Fields): string[] {
  const { strategy, rounds, iterations, mode } = options;
  const isStrategy = strategy == null || STRATEGY_NAMES.some((name) => name === strategy);
  const asked = iterations ?? rounds;
  const used = clampRounds(asked);
  return [
    ...(isStrategy ? [] : [`ai_ensemble.strategy ${shown(strategy)}: ${strategyName(DEFAULT_STRATEGY)} was used`]),
    ...(asked == null || asked === used ? [] : [`rounds ${shown(asked)}: ${used}`]),
    ...(mode == null || mode === 'auto' ? [] : [`ai_ensemble.mode ${shown(mode)}`]),
    ...notesOf(options, (name) =>
      OPTION_NAMES.includes(name) ? undefined : unknownNote('ai_ensemble.', name, OPTION_NAMES),
    ),
  ];
}

function unknownNote(place: string, name: string, known: readonly string[]): string {
  const [plain, ...others] = [name, ...known].map(plainName) as [string, ...string[]];
  const meant = known.find((_, index) => editDistance(plain, others[index] as string) <= TYPOS_MAX);
  return `${place}${name.slice(0, CHARACTERS_MAX)}: unknown${meant ? `, did you mean ${meant}` : ''}`;
}

/** `include_candidates` and `includeCandidates` are one name, spelt in two ways. */
function plainName(name: string): string {
  return name.slice(0, CHARACTERS_MAX).toLowerCase().replaceAll(/[_-]/g, '');
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, CHARACTERS_MAX));
  return typeof value === 'object' ? 'of another kind' : String(value);
}
