import { setImmediate } from 'node:timers/promises';
import { type Clock, sleep } from '../../src/lib/clock';
import { estimatePromptTokens, estimateTokens } from '../../src/models/estimate-tokens';
import type {
  CallListener,
  CallPurpose,
  FinishReason,
  ModelProvider,
  ProviderCall,
  ReportedUsage,
} from '../../src/models/model';
import { ModelFault, type ModelFaultKind } from '../../src/models/model-fault';
import type { Reasoning } from '../../src/models/reasoning';
import type { ToolCall } from '../../src/models/tools';
import type { WebReport } from '../../src/models/web-search';
import { demoReply } from '../../src/providers/demo/demo-reply';
import { allAt, verdictOf } from './judges';

/** The behaviour of a scripted model in one call. */
export interface ScriptedReply {
  readonly text: string;
  /** Before the text, piece by piece. */
  readonly thoughts?: readonly Reasoning[];
  /** Behind the text, each in two pieces. */
  readonly toolCalls?: readonly ToolCall[];
  /** Says more behind the calls, in whatever order. */
  readonly goOn?: (listener: CallListener) => Promise<void>;
  /** Silence before the first piece. */
  readonly delayMs?: number;
  /** Says the text again and again, once in each turn of the event loop, until it is stopped. */
  readonly endless?: boolean;
  /** Absent: as estimated. Null: the model reports none. */
  readonly usage?: ReportedUsage | null;
  /** Before the text. */
  readonly web?: WebReport;
  readonly finishReason?: FinishReason;
  /** Thrown after the text was sent. */
  readonly fault?: ModelFault;
}

/** Decides every reply; the same call must always get the same one. */
export type Script = (call: ProviderCall) => ScriptedReply;

/** A provider without a network, streamed word by word, that remembers every call made to it. */
export interface ScriptedModels extends ModelProvider {
  /** Since the last `reset`, in order. */
  readonly calls: readonly ProviderCall[];
  /** Sets the models' behaviour until the next `reset`. */
  play(script: Script): void;
  /** Forgets the calls and goes back to the first script. */
  reset(): void;
}

export function scriptedModels(clock: Clock, script: Script = PLAIN): ScriptedModels {
  const calls: ProviderCall[] = [];
  let current = script;
  return {
    calls,
    run: async (call, listener) => {
      calls.push(call);
      const { text, thoughts = [], toolCalls = [], web, delayMs = 0, endless, usage, goOn, ...ends } = current(call);
      const { fault, finishReason = 'stop' } = ends;
      if (delayMs > 0) await sleep(clock, delayMs, call.signal);
      stopIfAborted(call);
      if (web) listener.web(web);
      for (const thought of thoughts) await listener.thought(thought);
      await (endless ? sayForEver : say)(text, call, listener);
      for (const [index, { id, name, arguments: json }] of toolCalls.entries()) {
        await listener.toolCall({ index, begins: { id, name }, arguments: json.slice(0, 3) });
        await listener.toolCall({ index, arguments: json.slice(3) });
      }
      await goOn?.(listener);
      const counted = {
        promptTokens: estimatePromptTokens(call.prompt),
        completionTokens: estimateTokens(text),
      };
      if (usage !== null) listener.usage(usage ?? counted);
      if (fault) throw fault;
      return finishReason;
    },
    play: (next) => {
      current = next;
    },
    reset: () => {
      calls.length = 0;
      current = script;
    },
  };
}

async function say(text: string, call: ProviderCall, listener: CallListener): Promise<void> {
  for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
    stopIfAborted(call);
    await listener.text(piece);
  }
}

async function sayForEver(text: string, call: ProviderCall, listener: CallListener): Promise<never> {
  for (;;) {
    await setImmediate();
    stopIfAborted(call);
    await listener.text(text);
  }
}

function stopIfAborted({ signal }: ProviderCall): void {
  if (signal.aborted) throw new ModelFault('aborted');
}

/** The built-in demo models, at once. */
export const demoScript: Script = (call) => ({ text: demoReply(call) });

/** Replies of `PLAIN` models by purpose. */
const PLAIN_TEXT: Readonly<Record<Exclude<CallPurpose, 'judge'>, string>> = {
  cast: JSON.stringify({ lenses: [{ name: 'Botanist', focus: 'What a fruit is.' }] }),
  plan: JSON.stringify({ items: [{ title: 'The berry', task: 'Say what a berry is.' }] }),
  advise: 'Look it up first.',
  draft: 'A first draft.',
  revise: 'A better draft.',
  review: JSON.stringify({ verdict: 'revise', defects: [{ item: 1, severity: 'major', defect: 'Say why.' }] }),
  attack: JSON.stringify({ findings: [{ severity: 'major', why: 'It does not say why.' }] }),
  analyse: JSON.stringify({ winner: null, rationale: 'Both say that it is a berry.' }),
  answer: 'Botanically it is a berry.',
  follow_ups: JSON.stringify(['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?']),
};

/** A revision of a revision: another text is a change, so that no run of plain models stops early. */
const REVISED_AGAIN = 'The best draft.';

/** The same words for every model, 7 for everything from every judge, and one token each way for every call. */
export const PLAIN: Script = (call) => ({
  text: call.purpose === 'judge' ? verdictOf(call, ({ role }) => allAt(7, role)) : plainText(call, call.purpose),
  usage: { promptTokens: 1, completionTokens: 1 },
});

function plainText({ prompt }: ProviderCall, purpose: keyof typeof PLAIN_TEXT): string {
  const isRevised = purpose === 'revise' && prompt.turns.at(-1)?.text.includes(PLAIN_TEXT.revise);
  return isRevised ? REVISED_AGAIN : PLAIN_TEXT[purpose];
}

/** A provider's words about a failure; no reply of ours may contain any of them. */
export const UPSTREAM_WORDS = 'UPSTREAM-BODY sk-upstream-0123456789abcdef';

/** A model that fails for good, after this much text: a wait beyond the run's budget is never waited for. */
export function failing(kind: ModelFaultKind, text = ''): ScriptedReply {
  const fault = new ModelFault(kind, { retryAfterSeconds: 9_999, cause: new Error(UPSTREAM_WORDS) });
  return { text, usage: null, fault };
}
