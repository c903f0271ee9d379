import { type CallPurpose, ModelFault, type ModelFaultKind, type ProviderCall } from '../../src/models/model';
import type { Script, ScriptedReply } from '../../src/providers/scripted';
import { allAt, verdictOf } from './judges';

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
const PLAIN_TEXT: Readonly<Record<Exclude<CallPurpose, 'judge'>, string>> = {
  cast: JSON.stringify({ lenses: [{ name: 'Botanist', focus: 'What a fruit is.' }] }),
  plan: JSON.stringify({ items: [{ title: 'The berry', task: 'Say what a berry is.' }] }),
  draft: 'A first draft.',
  revise: 'A better draft.',
  review: JSON.stringify({ verdict: 'revise', defects: [{ item: 1, severity: 'major', defect: 'Say why.' }] }),
  attack: JSON.stringify({ findings: [{ severity: 'major', why: 'It does not say why.' }] }),
  analyse: JSON.stringify({ winner: null, rationale: 'Both say that it is a berry.' }),
  answer: 'Botanically it is a berry.',
  follow_ups: JSON.stringify(['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?']),
};

/** The same words for every model, 7 for everything from every judge, and one token each way for every call. */
export const PLAIN: Script = (call) => ({
  text: call.purpose === 'judge' ? verdictOf(call, ({ role }) => allAt(7, role)) : PLAIN_TEXT[call.purpose],
  usage: { promptTokens: 1, completionTokens: 1 },
});

/** What a provider says about a failure; no reply of ours may contain any of it. */
export const UPSTREAM_WORDS = 'UPSTREAM-BODY sk-upstream-0123456789abcdef';

/** A model that fails for good, after this much text: a wait beyond the run's budget is never waited for. */
export function failing(kind: ModelFaultKind, text = ''): ScriptedReply {
  const fault = new ModelFault(kind, { retryAfterSeconds: 9_999, cause: new Error(UPSTREAM_WORDS) });
  return { text, usage: null, fault };
}
