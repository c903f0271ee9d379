import type { RunSettings } from './run-settings';

/** A number of a run as it is asked for, and its bounds. */
export interface RunNumber {
  readonly id: 'temperature' | 'topP' | 'maxWords' | 'maxCostUsd' | 'maxSeconds' | 'graceSeconds';
  readonly label: string;
  readonly description: string;
  readonly unit?: string;
  readonly min: number;
  readonly max: number;
  readonly isWhole?: true;
  /** Sent for runs with participants alone. */
  readonly panelOnly?: true;
}

const SECONDS_MAX = 525;

/** Fields that may be left empty, in the order in which they are shown. */
export const RUN_NUMBERS: readonly RunNumber[] = [
  {
    id: 'temperature',
    label: 'Temperature',
    description: '0 to 2, for the answer. Empty: the provider’s default.',
    ...{ min: 0, max: 2 },
  },
  { id: 'topP', label: 'Top P', description: '0 to 1, for the answer. Empty: the provider’s default.', min: 0, max: 1 },
  {
    id: 'maxWords',
    label: 'Words, at most',
    description: 'The answer and the drafts are checked, and written anew if need be.',
    ...{ min: 1, max: 10_000, isWhole: true },
  },
  {
    id: 'maxCostUsd',
    label: 'Cost, at most',
    description: 'The run ends before it would cost more.',
    ...{ unit: '$', min: 1e-9, max: Number.MAX_VALUE },
  },
  {
    id: 'maxSeconds',
    label: 'Seconds, at most',
    description: `1 to ${SECONDS_MAX}. After that the answer is written from what there is.`,
    ...{ min: 1, max: SECONDS_MAX },
  },
  {
    id: 'graceSeconds',
    label: 'Extra wait for slow models, in seconds',
    description: 'From when most have answered. Empty: by how fast the models usually are.',
    ...{ min: 0, max: SECONDS_MAX, panelOnly: true },
  },
];

/** The objection to what was typed, in words; undefined where there is none. */
export function numberFlaw({ min, max, isWhole }: RunNumber, typed: string): string | undefined {
  const value = Number(typed);
  if (typed.trim() === '' || (value >= min && value <= max && (!isWhole || Number.isInteger(value)))) return undefined;
  if (max === Number.MAX_VALUE) return 'Write a number above 0.';
  return `Write a ${isWhole ? 'whole number' : 'number'} from ${min} to ${max.toLocaleString('en')}.`;
}

/** The first number that cannot be sent, with the objection to it. */
export function numbersFlaw(settings: RunSettings): string | undefined {
  for (const number of RUN_NUMBERS) {
    const isAsked = !(number.panelOnly && settings.strategy === 'single');
    const flaw = isAsked ? numberFlaw(number, settings[number.id]) : undefined;
    if (flaw !== undefined) return `Options, ${number.label}: ${flaw}`;
  }
  return undefined;
}
