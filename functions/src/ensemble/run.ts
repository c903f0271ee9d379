import type { FailedCall } from '../models/gateway/gateway-call';
import type { ImageAttachment } from '../models/images';
import type { ChatTurn, FinishReason, ReasoningEffort, Sampling } from '../models/model';
import type { Reasoning } from '../models/reasoning';
import type { ToolCall, ToolOffer, ToolResult } from '../models/tools';
import type { WebSource } from '../models/web-search';
import type { Conversation } from '../prompting/prompt-draft';
import type { RunContext } from '../runs/run-context';
import type { ToldAnalysis } from '../runs/trace-event';
import type { KeptTurn } from '../runs/turn-store';
import type { Agreement } from './agreement/agreement';
import type { GivenText } from './agreement/answers-agree';
import type { AnswerChecks, CheckResult } from './checks/answer-checks';
import type { ModelPaces } from './deadline/answer-times';
import type { Deadline } from './deadline/deadline';
import type { StrategyCalls } from './estimate/calls';
import type { Budget, RunLimits } from './estimate/limits';
import type { AgreementByPlace } from './form/agreement-by-place';
import type { AnswerForm } from './form/answer-form';
import type { Panel, Seat } from './panel/panel';
import type { Question } from './waves/question';
import type { WebRecord } from './web/web-record';

/** Caller's rule for slow participants; what is left out is decided here. */
export interface StragglerRule {
  /** Answers of a wave that are needed before the others are given up; of a smaller wave all. */
  readonly quorum?: number | undefined;
  /** Milliseconds that the others then have. */
  readonly graceMs?: number | undefined;
}

/** Request of the caller, parsed and resolved. */
export interface EnsembleRequest {
  readonly requestId: string;
  readonly strategy: Strategy;
  /** 1 to 10: an upper bound. */
  readonly rounds: number;
  /** True if the message is a chat UI's own, such as one for a title: the arbiter answers it alone. */
  readonly errand?: boolean;
  /** True if one draft may end the run when the message needs no panel. */
  readonly auto?: boolean;
  readonly panel: Panel;
  /** Last message of the user. */
  readonly message: string;
  /** Shown with it to everybody; the whole panel has vision then. */
  readonly images?: readonly ImageAttachment[];
  /** Sender of the message, where one model answers alone: to an ensemble the message tells it. */
  readonly name?: string;
  /** Places in the message up to which its prompt is to be kept in a cache (`ChatTurn`). */
  readonly cacheMarks?: readonly number[];
  /** Results of the tools called last; the message, if any, was said beside them. */
  readonly toolResults?: readonly ToolResult[];
  /** Earlier non-system messages, oldest first. */
  readonly history: readonly ChatTurn[];
  /** Tools that the model may call; set only where one model answers alone, or acts for an ensemble. */
  readonly tools?: ToolOffer;
  /** Set where an ensemble has tools: its participants advise, and its arbiter acts. */
  readonly agent?: AgentSetup;
  /** Instructions for the answer: the arbiter follows them when it writes, and judges by them. */
  readonly systemPrompt?: string;
  /** The JSON that the answer is to be; absent where it may have any form. */
  readonly answerForm?: AnswerForm;
  /** Checks of the final answer; absent without any. */
  readonly checks?: AnswerChecks;
  /** Instructions that participants follow as well, and judge by. Absent: they see none. */
  readonly sharedPrompt?: string;
  /** Key by which its prompts are found in a provider's cache. */
  readonly promptCacheKey?: string | undefined;
  /** Applied to the answer only. */
  readonly sampling: Sampling;
  /** Effort of the model that writes the answer. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
  readonly includeCandidates: boolean;
  readonly includeExplanation: boolean;
  readonly includeFollowUps: boolean;
  /** Caps of the caller on its cost and time. */
  readonly limits?: RunLimits;
  /** Caller's rule for giving up slow participants. */
  readonly stragglers?: StragglerRule;
  /** Limitations known before the run starts, in words for the user. */
  readonly degraded?: readonly string[];
  /** True if the web is to be searched, by the seats that say so: which addresses the answer has is looked at then. */
  readonly webSearch?: true;
}

/** Settings of an ensemble with tools. */
export interface AgentSetup {
  /** True if participants advise at the beginning of each turn of the user. */
  readonly advises: boolean;
  /** Times that participants review a reply without calls, and have it redone, in what is left of the turn. */
  readonly reviews: number;
  /** Names the user's turn: the same in all of its requests, and in nobody else's. */
  readonly turnId: string;
  /** Names it whatever its instructions are; no texts are kept by this name. */
  readonly saidId?: string;
  /** Advice and reviews of earlier requests of the turn, for one that goes on with it. */
  readonly kept?: KeptTurn | undefined;
  /** Words of the service that the arbiter was shown in the turns before, at their places. */
  readonly earlier?: KeptTurn['earlier'];
}

/** Texts that the caller has sent, whoever is shown them: each once, a participant's instructions as it is shown them. */
export function callersTexts(request: EnsembleRequest): string[] {
  const { message, history, systemPrompt, sharedPrompt, panel } = request;
  const own = panel.participants.map((seat) => seat.systemPrompt && (sharedPrompt ?? '') + seat.systemPrompt);
  const instructions = [...new Set([systemPrompt, sharedPrompt]), ...own].filter((text) => text !== undefined);
  return [message, ...history.map(({ text }) => text), ...instructions];
}

/** A way to let several models answer. */
export interface Strategy {
  /** All calls that it may make: time is shared out by them, and a caller's budget must allow them. */
  calls(request: EnsembleRequest): StrategyCalls;
  /** Seats that take part, where those are not the panel's participants. */
  seats?(request: EnsembleRequest): readonly Seat[];
  /** True if a participant that is also the arbiter may answer alone, in one call: more calls would gain nothing. */
  readonly direct?: true;
  /** True if its first texts are plain answers to the message: one that is there already need not be asked for. */
  readonly plainDrafts?: true;
  /** A word that asks for it in a model id of `/v1/responses`, besides its name. */
  readonly modelWord?: string;
  /** The one it goes before, and by whose name it is known. */
  readonly within?: Strategy;
  /** The calls it starts with, known before the run so that the reservation can list them. Calls no model. */
  firstWave(opening: Opening): Question[];
  /** Plays it to the end. Throws a `Fault` when no answer can be given. */
  play(run: Run, firstWave: readonly Question[]): Promise<Ending>;
}

/** A request with all that its prompts are built on, before any model is called. */
export interface Opening {
  readonly request: EnsembleRequest;
  readonly conversation: Conversation;
}

/** A plain answer that is there before the first wave; an empty one: its author was too slow, and is not asked again. */
export type HeadStart = Required<GivenText> & { readonly seat: Seat };

/** Everything a strategy works with while it plays. */
export interface Run extends Opening, RunContext {
  readonly deadline: Deadline;
  /** Times that models took for their texts; every text of full length is noted there. */
  readonly paces: ModelPaces;
  /** Budget under the caller's caps. */
  readonly budget: Budget;
  /** Every call that failed so far, for messages and the explanation. */
  readonly failures: (FailedCall & { readonly seat: Seat })[];
  /** Reasons for the run being less than asked for, in words for the user. */
  readonly degraded: string[];
  /** Ending of the last reply that was taken for the answer. */
  readonly answered: { finishReason?: FinishReason };
  /** Plain answers that are there before the first wave: their authors need not be asked for one. */
  readonly headStart?: readonly HeadStart[];
  /** Beginnings of prompts that providers keep for the rest of the run (`repeatedIn`). */
  readonly keptBeginnings: Set<string>;
  /** Pages found on the web, where it is searched. */
  readonly web?: WebRecord;
  /** Hides who wrote a text, where it says so itself, from another model that will read it. */
  mask(text: string): string;
}

/** Result of a run beside its answer, which went to the sink piece by piece. */
export interface Ending {
  /** In request order; absent when not asked for. */
  readonly candidates?: readonly Candidate[];
  /** Their seats, whether they are asked for or not. */
  readonly candidateSeats?: readonly string[];
  /** With candidates, where the answer is held to a schema and is JSON. */
  readonly agreementByPlace?: AgreementByPlace;
  /** Agreement of the participants; absent where it cannot be measured. */
  readonly agreement?: Agreement | undefined;
  /** Results of the answer's checks; absent without any. */
  readonly checks?: readonly CheckResult[] | undefined;
  readonly explanation?: string | undefined;
  /** Parts of the explanation for programs; absent where the arbiter has made none of them. */
  readonly analysis?: ToldAnalysis | undefined;
  readonly followUpPrompts?: readonly string[];
  /** The tools that the model calls, where it was offered some. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Reasoning of the model, where it was offered tools. */
  readonly reasoning?: Reasoning | undefined;
  /** Result of an ensemble with tools that the next requests of the user's turn are to know. */
  readonly turn?: KeptTurn | undefined;
  /** The pages found on the web, those first that the answer names; absent without any. */
  readonly sources?: readonly WebSource[];
  /** The addresses in the answer that stood in nothing it was made from, where the web was to be searched. */
  readonly unsupportedUrls?: readonly string[];
  /** The seat that wrote the answer. */
  readonly author?: string;
  /** The seat of the participant whose text was found best, where one was. */
  readonly winner?: string | undefined;
}

/** A participant's last text as the client sees it (`docs/api.md`, Candidates), with what the participant consumed. */
export interface Candidate {
  readonly modelId: string;
  readonly modelName: string;
  /** Caller's label of the participant, if any. */
  readonly label?: string;
  readonly response: string;
  /** The part the participant had in the strategy, where it had one; shown as `reasoning` in streams. */
  readonly part?: string;
  /** Pages it found on the web; absent without any. */
  readonly sources?: readonly WebSource[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly executionTimeMs: number;
  readonly costNanoUsd: number;
}

/** Says openly, once, that a run is less than what was asked for: while streaming, on the reply, in the explanation. */
export function noteDegraded(run: Run, text: string): void {
  if (run.degraded.includes(text)) return;
  run.degraded.push(text);
  run.observer?.tell({ type: 'limitation', text });
  run.sink.status(text);
}
