import type { CallPurpose, ChatTurn } from '../../../models/model';
import type { Tool } from '../../../models/tools';
import { fitTexts, historyThatFits } from '../../../prompting/context-window';
import { DATA_RULE } from '../../../prompting/fence';
import { type Conversation, newConversation, type PromptBlock } from '../../../prompting/prompt-draft';
import type { EnsembleRequest } from '../../run';
import { type Question, question } from '../../waves/question';
import { type UserTurn, userTurn } from './user-turn';

/**
 * Tokens that participants are shown at most: of the system message, of the list of tools, of the conversation before the
 * user's message, of one message of it, and of what one tool was given or returned. Their texts are short, and cost what
 * they read.
 */
const SHOWN_TOKENS = { system: 1_000, tools: 1_000, earlier: 2_000, said: 400, returned: 100 };
const DESCRIPTION_CHARACTERS_MAX = 200;
const ARGUMENTS_MAX = 12;

/** The questions to the participants at the beginning of a user's turn. */
export function adviceQuestions(request: EnsembleRequest): Question[] {
  return questionsTo(request, { step: 'r1', purpose: 'advise' }, [
    'The tools that the model you advise has:',
    { title: 'tools', text: shortened(request.tools?.tools.map(inOneLine).join('\n') ?? '', SHOWN_TOKENS.tools) },
    DATA_RULE,
    "Another model works for this user, step by step, with these tools. You advise it once, before it acts on the user's message; it sees the whole conversation, of which long parts are shortened here. The tools are not yours: nothing that you write is run. Write no tool call in any notation, and do not claim to have seen what a tool would return.",
    `Write short notes for that model, 120 words at most, in the language of the user's message:
- Do: the steps you would take, in order, and the tools for them.
- Check: what to look up before relying on it, and how to tell that the work is done and right.
- Beware: what could go wrong here, and what must not be touched.
Keep to what is particular to this message; leave out what goes without saying. Where you guess a name, a place or a fact, say that you guess. If no tool is needed, say so, and give the gist of the reply.`,
  ]);
}

/** The questions to the participants about a reply that calls nothing, before it is sent. */
export function reviewQuestions(request: EnsembleRequest, step: string, reply: string): Question[] {
  const done = inWords(userTurn(request)?.since ?? []).map(({ role, text }) => `${role}: ${text}`);
  return questionsTo(request, { step, purpose: 'review' }, [
    "What another model has done on the user's message with its tools, long parts shortened:",
    { title: 'work', text: shortened(done.join('\n\n') || 'Nothing yet.', SHOWN_TOKENS.earlier) },
    'The reply that it is about to end its work with:',
    { title: 'reply', text: reply },
    DATA_RULE,
    'Review it before it is sent. It must be redone if it leaves undone what the user asked for and the tools allow, claims steps that were not taken, contradicts what the tools returned, or is wrong. Style, length and taste are no reasons, nor is work that nobody asked for, nor a statement whose proof may stand in a part that is left out here. You have no tools: write no tool call.',
    'Begin with one line for the service: "APPROVE" if it may be sent, otherwise "REDO". After "APPROVE" stop. Below "REDO" write, in 80 words at most and in the language of the user\'s message, what is wrong and what is to be done.',
  ]);
}

function questionsTo(
  request: EnsembleRequest,
  { step, purpose }: { readonly step: string; readonly purpose: CallPurpose },
  task: readonly PromptBlock[],
): Question[] {
  const turn = userTurn(request);
  if (!turn) return [];
  const conversation = shortConversation(request, turn);
  return request.panel.participants.map((seat) =>
    question({ callId: `${step}.${seat.id}`, seat, purpose, round: 1 }, { conversation, task }),
  );
}

function shortConversation({ requestId, sharedPrompt }: EnsembleRequest, { before, said }: UserTurn): Conversation {
  const { role: _, text: message, ...speaker } = said;
  return newConversation({
    ...{ requestId, message, ...speaker },
    history: historyThatFits(inWords(before), SHOWN_TOKENS.earlier),
    ...(sharedPrompt !== undefined && { sharedPrompt: shortened(sharedPrompt, SHOWN_TOKENS.system) }),
  });
}

/** `name(argument, argument): description`. */
function inOneLine({ name, description = '', parameters = {} }: Tool): string {
  const { properties } = parameters;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const about = description.slice(0, DESCRIPTION_CHARACTERS_MAX).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${name}(${names.slice(0, ARGUMENTS_MAX).join(', ')})${about && `: ${about}`}`;
}

/** A conversation whose calls and results are told by the user: what an assistant says is imitated. */
function inWords(turns: readonly ChatTurn[]): ChatTurn[] {
  return turns.flatMap((turn, index): ChatTurn[] => {
    const { role, text, toolResults } = turn;
    if (!toolResults) return text === '' ? [] : [{ role, text: shortened(text, SHOWN_TOKENS.said) }];
    const called = new Map(turns[index - 1]?.toolCalls?.map((call) => [call.id, call.arguments]));
    const told = toolResults.map(({ callId, name, text: returned }) => {
      const given = shortened(called.get(callId) ?? '', SHOWN_TOKENS.returned);
      return `[The assistant used the tool ${name} with ${given}. It returned:]\n${shortened(returned, SHOWN_TOKENS.returned)}`;
    });
    return [{ role: 'user', text: told.join('\n\n') }];
  });
}

function shortened(text: string, tokens: number): string {
  return fitTexts([text], tokens)[0] ?? '';
}
