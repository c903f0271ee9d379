import type { Clock } from '../../src/lib/clock';
import type { CallPurpose, ModelProvider, ProviderCall, ReportedUsage } from '../../src/models/model';
import type { ModelFaultKind } from '../../src/models/model-fault';
import { UPSTREAM_WORDS } from '../support/scripted-models';
import { react } from './reactions';

/** Kinds of reactions of a model to a call. */
export const REACTION_KINDS = [
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
export type ReactionKind = (typeof REACTION_KINDS)[number];

/** Moments at which a call's tokens are reported; each report is the sum so far. */
export type Reporting = 'at the end' | 'all along' | 'prompt first' | 'never';

/** Reaction of a model to one call. */
export interface Reaction {
  readonly kind: ReactionKind;
  /** Silence before anything happens. */
  readonly afterMs: number;
  /** An answer's text comes in this many pieces, */
  readonly pieces: number;
  /** this far apart. */
  readonly gapMs: number;
  /** Index among the texts that fit the purpose. */
  readonly words: number;
  /** A model that does not notice an abort goes on for a while after it was given up. */
  readonly heedsAbort: boolean;
  readonly fault: ModelFaultKind;
  readonly retryAfterSeconds: number | undefined;
  readonly reporting: Reporting;
}

/** Behaviour of a model: its reactions in turn; at the arbiter's work others, where given. */
export interface Behaviour {
  /** Answers every call within three seconds. */
  readonly able: boolean;
  readonly reactions: readonly Reaction[];
  readonly asArbiter?: readonly Reaction[];
}

export type Bill = Required<Omit<ReportedUsage, 'cacheWritePromptTokens'>>;

/** One call as the upstream saw it. */
export interface UpstreamCall {
  readonly model: string;
  readonly purpose: CallPurpose;
  readonly call: ProviderCall;
  readonly kind: ReactionKind;
  /** Kind of its failure, where it failed by itself. */
  fault: ModelFaultKind | undefined;
  /** The text sent before the call was given up. */
  text: string;
  /** The last usage frame sent before the call was given up: what the upstream bills. */
  bill: Bill | undefined;
  /** True if that frame came after all the text. */
  billIsFinal: boolean;
  /** True if it ended by itself. */
  ended: boolean;
  /** True if it came to its end with something to read, in time. */
  delivered: boolean;
  /** True if it was given up before it began. */
  readonly late: boolean;
}

/** A provider that keeps a record of what it was asked, did and billed. */
export interface FaultyModels {
  readonly provider: ModelProvider;
  readonly calls: readonly UpstreamCall[];
}

const ARBITERS_WORK: ReadonlySet<CallPurpose> = new Set(['cast', 'analyse', 'answer', 'follow_ups']);

/** Models that behave so, by provider model name. `onCall` is told of each call as it arrives. */
export function faultyModels(
  clock: Clock,
  behaviours: ReadonlyMap<string, Behaviour>,
  onCall: (calls: number) => void = () => undefined,
): FaultyModels {
  const calls: UpstreamCall[] = [];
  const turns = new Map<string, number>();

  const reactionOf = ({ providerModel, purpose }: ProviderCall): Reaction => {
    const behaviour = behaviours.get(providerModel);
    if (!behaviour) throw new Error(`no behaviour for ${providerModel}`);
    const arbitrates = behaviour.asArbiter && ARBITERS_WORK.has(purpose);
    const reactions = arbitrates ? behaviour.asArbiter : behaviour.reactions;
    const key = `${providerModel} ${arbitrates}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const reaction = reactions[turn % reactions.length];
    if (!reaction) throw new Error(`${providerModel} has no reactions`);
    return reaction;
  };

  // Not async: a model may throw before there is a promise.
  const run: ModelProvider['run'] = (call, listener) => {
    const reaction = reactionOf(call);
    const { providerModel: model, purpose } = call;
    const untouched = {
      fault: undefined,
      text: '',
      bill: undefined,
      billIsFinal: false,
      ended: false,
      delivered: false,
    };
    const record: UpstreamCall = { model, purpose, call, kind: reaction.kind, late: call.signal.aborted, ...untouched };
    calls.push(record);
    onCall(calls.length);
    if (reaction.kind === 'throws') {
      record.ended = true;
      throw new Error(UPSTREAM_WORDS);
    }
    return react(clock, { reaction, record, listener }).finally(() => {
      record.ended = true;
    });
  };
  return { provider: { run }, calls };
}
