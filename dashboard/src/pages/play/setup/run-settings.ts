import type { RunBody } from './run-body';

/** The settings of a run, as the form holds them. Numbers stand as they were typed. */
export interface RunSettings {
  readonly prompt: string;
  /** Earlier messages of the conversation, oldest first. */
  readonly history: readonly EarlierMessage[];
  readonly instructions: string;
  /** True if participants follow the instructions, too, and not the arbiter alone. */
  readonly shareInstructions: boolean;
  readonly files: readonly RunFile[];
  /** Names of files that are to be added anew: a browser keeps no files. */
  readonly lostFiles: readonly string[];
  readonly strategy: RunStrategy;
  readonly rounds: string;
  /** Ids; the same model may stand there several times. */
  readonly participants: readonly string[];
  readonly arbiter: string;
  readonly temperature: string;
  readonly topP: string;
  readonly maxCostUsd: string;
  readonly maxSeconds: string;
  /** The wait for slow participants once most have answered. */
  readonly graceSeconds: string;
  /** The checks of the answer. */
  readonly maxWords: string;
  /** ISO 639-1; empty: any language. */
  readonly language: string;
  readonly options: RunOptions;
}

/** The switches of a run. */
export interface RunOptions {
  readonly explanation: boolean;
  readonly followUps: boolean;
  /** One draft may end the run when the message needs no panel. */
  readonly auto: boolean;
  /** Models that can search the web do so before they write. */
  readonly webSearch: boolean;
  /** True if the run is kept, to be seen again and resumed. */
  readonly keep: boolean;
}

/** A message before the prompt. */
export interface EarlierMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A file as the server takes it: its bytes in base64. */
export type RunFile = NonNullable<RunBody['attachments']>[number];

/** A strategy of the API, or `single`: the arbiter answers alone. */
export type RunStrategy = 'single' | NonNullable<RunBody['ai_ensemble']['strategy']>;

/** Number of participants that the API takes. */
export const PARTICIPANTS_MAX = 16;

/** The settings that a new run begins with. */
export const NEW_SETTINGS: RunSettings = {
  prompt: '',
  history: [],
  instructions: '',
  shareInstructions: true,
  files: [],
  lostFiles: [],
  strategy: 'competitive_refinement',
  rounds: '2',
  participants: [],
  arbiter: '',
  temperature: '',
  topP: '',
  maxCostUsd: '',
  maxSeconds: '',
  graceSeconds: '',
  maxWords: '',
  language: '',
  options: { explanation: true, followUps: true, auto: false, webSearch: false, keep: true },
};

/** The first field that is still to be filled in before a run can begin, in words; undefined where none is. */
export function missingIn({ prompt, arbiter, strategy, participants }: RunSettings): string | undefined {
  if (prompt.trim() === '') return 'Write a prompt, or choose one of those suggested.';
  if (arbiter === '') return 'Choose the model that writes the answer.';
  if (strategy !== 'single' && participants.length === 0) return 'Choose at least one participant.';
  return undefined;
}
