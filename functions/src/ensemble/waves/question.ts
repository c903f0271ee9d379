import type { AnnouncedCall } from '../../ledger/request-ledger';
import { estimatePromptTokens } from '../../models/estimate-tokens';
import type { CallPurpose, ModelPrompt, OutputSchema } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import { type PromptBlock, type PromptDraft, renderPrompt, shownTexts } from '../../prompting/prompt-draft';
import type { SeenText } from '../../runs/trace-event';
import type { Seat } from '../panel/panel';

/** Purpose of a call, and its seat. */
export interface Asked {
  /** Unique in the run, e.g. `r2.p1`. */
  readonly callId: string;
  readonly seat: Seat;
  readonly purpose: CallPurpose;
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
  /** Set: the reply is to be this JSON, as the prompt says too. */
  readonly outputSchema?: OutputSchema;
  /** Set: one model answers as if there were no ensemble, and its reply is passed on to the letter. */
  readonly plain?: true;
  /** Set: it is asked for its own answer to the message, and nothing else. */
  readonly ownAnswer?: true;
  /** Set: another text takes the place of a reply that only repeats its task. */
  readonly replaceable?: true;
  /** Set: it stands below its reader's own reply, which is to be given again. */
  readonly repair?: true;
}

/** A call to be made, its prompt written for the seat's window. */
export interface Question extends Asked {
  readonly promptDraft: PromptDraft;
  readonly prompt: ModelPrompt;
  /** True if something had to be left out for that window. */
  readonly cut: boolean;
}

/**
 * Writes a question, with the instructions its reader is to follow or judge by, for that model's window. With the client's
 * tools it is never cut: its agent shortens the conversation, once it is told that it is too long.
 */
export function question<T extends Asked>(asked: T, promptDraft: PromptDraft): T & Question {
  const complete = withInstructions(asked, promptDraft);
  const contextTokens = promptDraft.tools ? null : asked.seat.model.contextTokens;
  return { ...asked, promptDraft: complete, ...renderPrompt(complete, contextTokens) };
}

/** The same question for half the window its model seems to have; it refused the longer one. */
export function shorterQuestion({ repair: _, ...refused }: Question): Question {
  const half = Math.floor(estimatePromptTokens(refused.prompt) / 2);
  return { ...refused, callId: `${refused.callId}.shorter`, ...renderPrompt(refused.promptDraft, half) };
}

/** The same question below the reply that it got, which could not be used. */
export function repairQuestion(asked: Question, repair: Pick<Question, 'callId' | 'prompt'>): Question {
  return { ...asked, ...repair, repair: true };
}

/** The texts of models that a question shows its reader. */
export function textsSeen({ promptDraft, cut, repair, seat }: Question): SeenText[] {
  return [...shownTexts(promptDraft, cut), ...(repair ? [{ seat: seat.id, as: 'reply' }] : [])];
}

/** A question as the ledger lists it. */
export function announcedCall({ promptDraft, ...asked }: Question): AnnouncedCall {
  const { callId, seat, prompt, purpose, round, outputSchema } = asked;
  const promptTokens = estimatePromptTokens(prompt, outputSchema?.schema);
  const { webSearch } = prompt;
  return { callId, model: seat.model, seat: seat.id, purpose, round, promptTokens, ...(webSearch && { webSearch }) };
}

/** Purposes that judge or prepare an answer: instructions are quoted to them, or they would decide what is right. */
const JUDGING: ReadonlySet<CallPurpose> = new Set([
  'cast',
  'plan',
  'advise',
  'review',
  'attack',
  'analyse',
  'follow_ups',
]);

/** Rule for a model that may search the web. Most search by themselves; weak ones need to hear when. */
const SEARCH_RULE =
  'You can search the web. Do so before you state anything that may have changed since you were trained, or that you are not sure of. Where a statement rests on a page, give the address of that page behind it. Never give an address that you have not found. Do not announce that you are going to search.';

/** A prompt with instructions: as system prompt for a writer, quoted for a judge; the seat's own are always followed. */
export function withInstructions(
  { purpose, seat, plain }: Pick<Asked, 'purpose' | 'seat' | 'plain'>,
  promptDraft: PromptDraft,
): PromptDraft {
  const { conversation, task, below, tools } = promptDraft;
  const isOwn = 'system' in promptDraft;
  const system = isOwn ? promptDraft.system : conversation.sharedPrompt;
  const judged = JUDGING.has(purpose) ? system : undefined;
  const searches = seat.webSearch === true && (purpose === 'draft' || plain === true);
  const followed = [
    JUDGING.has(purpose) ? undefined : system,
    isOwn ? undefined : seat.systemPrompt,
    searches ? SEARCH_RULE : undefined,
  ].filter((text) => text !== undefined);
  return {
    ...(followed.length > 0 && { system: followed.join('\n\n') }),
    conversation,
    ...(below && { below }),
    ...(tools && { tools }),
    ...(searches && { webSearch: true }),
    task:
      judged === undefined
        ? task
        : [...requirements(judged), ...(task.includes(DATA_RULE) ? [] : [DATA_RULE]), ...task],
  };
}

/** Requirements of the answer, in the caller's words, as data. */
function requirements(text: string): PromptBlock[] {
  return [
    'The system message for the final answer, quoted:',
    { title: 'requirements', text },
    'It is addressed to the author of the answer: measure the answer by it, and do not take on its role, tone or format in this reply.',
  ];
}
