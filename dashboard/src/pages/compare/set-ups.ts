import { bodyOf, type RunBody } from '../play/setup/run-body';
import { missingIn, NEW_SETTINGS, type RunSettings } from '../play/setup/run-settings';
import { strategyLabel } from '../play/setup/strategies';
import { type Suggestions, suggestedSettings } from '../play/setup/use-suggestions';

/** So many are compared at most. */
export const SET_UPS_MAX = 3;

/** One way to have a prompt answered. */
export interface SetUp {
  /** Its number among the page's, also when others are removed. */
  readonly key: number;
  readonly settings: RunSettings;
}

/** The set-ups that a comparison begins with: the arbiter alone, and the suggested panel. */
export function suggestedSetUps(suggestions: Suggestions): readonly SetUp[] {
  const options = { ...NEW_SETTINGS.options, followUps: false };
  const panel = { ...NEW_SETTINGS, ...suggestedSettings(suggestions), options };
  return [
    { key: 1, settings: { ...panel, strategy: 'single' } },
    { key: 2, settings: panel },
  ];
}

/** One more, as the last one but of another strategy. */
export function nextSetUp(setUps: readonly SetUp[]): SetUp {
  const last = setUps.at(-1);
  const settings: RunSettings = { ...(last?.settings ?? NEW_SETTINGS), strategy: 'collaborative_synthesis' };
  return { key: (last?.key ?? 0) + 1, settings };
}

/** The first gap in one of them, in words. */
export function setUpFlaw(setUps: readonly SetUp[]): string | undefined {
  for (const [at, { settings }] of setUps.entries()) {
    const missing = missingIn({ ...settings, prompt: '…' });
    if (missing !== undefined) return `Set-up ${at + 1}: ${missing}`;
  }
  return undefined;
}

/** The name of a set-up: its strategy and how many take part, or the one model. */
export function setUpName({ settings }: SetUp, nameOf: (modelId: string) => string): string {
  const { strategy, arbiter, participants } = settings;
  if (strategy === 'single') return `${nameOf(arbiter)} alone`;
  return `${strategyLabel(strategy)}, ${participants.length === 1 ? '1 participant' : `${participants.length} participants`}`;
}

/** The run that it asks for. */
export function bodyOfSetUp({ settings }: SetUp, prompt: string): RunBody {
  return bodyOf({ ...settings, prompt });
}
