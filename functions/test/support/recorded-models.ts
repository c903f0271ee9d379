import type { CallPurpose, ProviderCall } from '../../src/models/model';
import type { Script } from '../../src/providers/scripted';

/** Scripted models that remember every call made to them. */
export interface RecordedModels {
  readonly script: Script;
  /** Since the last `reset`, in order. */
  readonly calls: readonly ProviderCall[];
  /** What the models do until the next `reset`. */
  play(script: Script): void;
  /** Forgets the calls and goes back to `PLAIN`. */
  reset(): void;
}

/** Starts with `PLAIN`. */
export function recordModels(): RecordedModels {
  const calls: ProviderCall[] = [];
  let current: Script = PLAIN;
  return {
    calls,
    script: (call) => {
      calls.push(call);
      return current(call);
    },
    play: (script) => {
      current = script;
    },
    reset: () => {
      calls.length = 0;
      current = PLAIN;
    },
  };
}

/** What `PLAIN` models say in each part. A revision without a last line about keeping is a change: no early stop. */
export const PLAIN_TEXT: Readonly<Record<CallPurpose, string>> = {
  draft: 'A first draft.',
  revise: 'A better draft.',
  analyse: JSON.stringify({ winner: null, rationale: 'Both say that it is a berry.' }),
  answer: 'Botanically it is a berry.',
  follow_ups: JSON.stringify(['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?']),
};

/** The same words for every model, and one token each way for every call. */
export const PLAIN: Script = ({ purpose }) => ({
  text: PLAIN_TEXT[purpose],
  usage: { promptTokens: 1, completionTokens: 1 },
});
