import { type Clock, sleep } from '../lib/clock';
import {
  type CallListener,
  estimatePromptTokens,
  estimateTokens,
  type FinishReason,
  ModelFault,
  type ModelProvider,
  type ProviderCall,
  type ReportedUsage,
} from '../models/model';

/** What a scripted model does when it is called. */
export interface ScriptedReply {
  readonly text: string;
  /** Silence before the first piece. */
  readonly delayMs?: number;
  /** Absent: counted at four characters a token. Null: the model reports none. */
  readonly usage?: ReportedUsage | null;
  readonly finishReason?: FinishReason;
  /** Thrown after the text was sent. */
  readonly fault?: ModelFault;
}

/** Decides every reply; the same call must always get the same one. */
export type Script = (call: ProviderCall) => ScriptedReply;

/** How a scripted provider behaves. */
export interface ScriptedOptions {
  readonly clock: Clock;
  readonly script: Script;
  /** Pause between two pieces; 0 sends them all in one turn. */
  readonly pieceDelayMs: number;
}

/** A provider without a network: deterministic, streamed word by word, with usage. Serves `demo-*` and the tests. */
export function createScriptedProvider(options: ScriptedOptions): ModelProvider {
  return {
    run: async (call, listener) => {
      const reply = options.script(call);
      await pause(options.clock, reply.delayMs ?? 0, call.signal);
      await speak(options, { call, text: reply.text }, listener);
      if (reply.usage !== null) listener.usage(reply.usage ?? countedUsage(call, reply.text));
      if (reply.fault) throw reply.fault;
      return reply.finishReason ?? 'stop';
    },
  };
}

interface Speech {
  readonly call: ProviderCall;
  readonly text: string;
}

async function speak(
  { clock, pieceDelayMs }: ScriptedOptions,
  { call, text }: Speech,
  listener: CallListener,
): Promise<void> {
  for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
    await pause(clock, pieceDelayMs, call.signal);
    await listener.text(piece);
  }
}

async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs > 0) await sleep(clock, delayMs, signal);
  if (signal.aborted) throw new ModelFault('aborted');
}

function countedUsage({ prompt }: ProviderCall, text: string): ReportedUsage {
  return { promptTokens: estimatePromptTokens(prompt), completionTokens: estimateTokens(text) };
}
