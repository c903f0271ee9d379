import type { Clock } from '../../src/lib/clock';
import type { CallPurpose, ModelFaultKind, ModelProvider, ProviderCall, ReportedUsage } from '../../src/models/model';
import { UPSTREAM_WORDS } from './recorded-models';
import { Performance } from './virtual-performance';

/** What a model can do with a call. */
export const ACTS = [
  'answers',
  'is truncated',
  'fails',
  'throws',
  'hangs',
  'only lives',
  'is empty',
  'is blank',
  'breaks off',
  'goes silent',
  'drips',
] as const;
export type Act = (typeof ACTS)[number];

/** When a call's tokens are reported; each report is the sum so far. */
export type Reporting = 'at the end' | 'all along' | 'prompt first' | 'never';

/** How one call is played. */
export interface Move {
  readonly act: Act;
  /** Silence before anything happens. */
  readonly afterMs: number;
  /** An answer's text comes in this many pieces, */
  readonly pieces: number;
  /** this far apart. */
  readonly gapMs: number;
  /** Which of the texts that fit the purpose. */
  readonly words: number;
  /** A model that does not notice an abort goes on for a while behind everybody's back. */
  readonly heedsAbort: boolean;
  readonly fault: ModelFaultKind;
  readonly retryAfterSeconds: number | undefined;
  readonly reporting: Reporting;
}

/** What a model does: its moves in turn; at the arbiter's work others, where given. */
export interface Character {
  /** Answers every call within three seconds. */
  readonly able: boolean;
  readonly moves: readonly Move[];
  readonly asArbiter?: readonly Move[];
}

export type Bill = Required<Omit<ReportedUsage, 'cacheWritePromptTokens'>>;

/** One call as the upstream saw it. */
export interface PlayedCall {
  readonly model: string;
  readonly purpose: CallPurpose;
  readonly call: ProviderCall;
  readonly act: Act;
  /** How it failed, where it did so by itself. */
  fault: ModelFaultKind | undefined;
  /** The text sent before the call was given up. */
  text: string;
  /** The last usage frame sent before the call was given up: what the upstream bills. */
  bill: Bill | undefined;
  /** Whether that frame came after all the text. */
  billIsFinal: boolean;
  /** Whether it ended by itself. */
  ended: boolean;
  /** Whether it came to its end with something to read, in time. */
  delivered: boolean;
  /** Whether it was given up before it began. */
  readonly late: boolean;
}

/** A provider that keeps a record of what it was asked, did and billed. */
export interface FaultyModels {
  readonly provider: ModelProvider;
  readonly calls: readonly PlayedCall[];
}

const ARBITERS_WORK: ReadonlySet<CallPurpose> = new Set(['cast', 'analyse', 'answer', 'follow_ups']);

/** Plays `characters` by provider model name. `onCall` is told of each call as it arrives. */
export function faultyModels(
  clock: Clock,
  characters: ReadonlyMap<string, Character>,
  onCall: (calls: number) => void = () => undefined,
): FaultyModels {
  const calls: PlayedCall[] = [];
  const turns = new Map<string, number>();

  const moveOf = ({ providerModel, purpose }: ProviderCall): Move => {
    const character = characters.get(providerModel);
    if (!character) throw new Error(`nobody plays ${providerModel}`);
    const seated = character.asArbiter && ARBITERS_WORK.has(purpose);
    const moves = seated ? character.asArbiter : character.moves;
    const key = `${providerModel} ${seated}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const move = moves[turn % moves.length];
    if (!move) throw new Error(`${providerModel} has no moves`);
    return move;
  };

  // Not async: a model may throw before there is a promise.
  const run: ModelProvider['run'] = (call, listener) => {
    const move = moveOf(call);
    const { providerModel: model, purpose } = call;
    const record = { fault: undefined, text: '', bill: undefined, billIsFinal: false, ended: false, delivered: false };
    const played: PlayedCall = { model, purpose, call, act: move.act, late: call.signal.aborted, ...record };
    calls.push(played);
    onCall(calls.length);
    if (move.act === 'throws') {
      played.ended = true;
      throw new Error(UPSTREAM_WORDS);
    }
    return new Performance(clock, { move, played, listener }).play().finally(() => {
      played.ended = true;
    });
  };
  return { provider: { run }, calls };
}
