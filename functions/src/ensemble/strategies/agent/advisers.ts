import type { ChatTurn } from '../../../models/model';
import type { Tool } from '../../../models/tools';
import { fitTexts, historyThatFits } from '../../../prompting/context-window';
import { DATA_RULE } from '../../../prompting/fence';
import { newConversation, type PromptBlock } from '../../../prompting/prompt-draft';
import type { EnsembleRequest } from '../../run';
import { type Question, question } from '../../waves/question';
import { userTurn } from './user-turn';

/**
 * Tokens that participants are shown at most: of the system message, of the list of tools, of the conversation before the
 * user's message, of one message of it, and of what one tool returned. Their advice is short, and costs what they read.
 */
const SHOWN_TOKENS = { system: 1_000, tools: 1_000, earlier: 2_000, said: 400, returned: 100 };

/** The questions to the participants at the beginning of a user's turn; none where the user has said nothing. */
export function adviceQuestions(request: EnsembleRequest): Question[] {
  const turn = userTurn(request);
  if (!turn) return [];
  const { requestId, sharedPrompt, panel, tools } = request;
  const { text: message, images, name } = turn.said;
  const conversation = newConversation({
    requestId,
    message,
    ...(images && { images }),
    ...(name && { name }),
    history: historyThatFits(inWords(turn.before), SHOWN_TOKENS.earlier),
    ...(sharedPrompt !== undefined && { sharedPrompt: shortened(sharedPrompt, SHOWN_TOKENS.system) }),
  });
  const task = adviceTask(tools?.tools ?? []);
  return panel.participants.map((seat) =>
    question({ callId: `r1.${seat.id}`, seat, purpose: 'advise', round: 1 }, { conversation, task }),
  );
}

function adviceTask(tools: readonly Tool[]): PromptBlock[] {
  const listed = shortened(tools.map(inOneLine).join('\n'), SHOWN_TOKENS.tools);
  return [
    'The tools that the model you advise has:',
    { title: 'tools', text: listed },
    DATA_RULE,
    "Another model works for this user, step by step, with these tools. You advise it once, before it acts on the user's message; it sees the whole conversation, of which long parts are shortened here. The tools are not yours: nothing that you write is run. Write no tool call in any notation, and do not claim to have seen what a tool would return.",
    `Write short notes, 120 words at most, in the language of the user's message:
- Do: the steps you would take, in order, and the tools for them.
- Check: what to look up before relying on it, and how to tell that the work is done and right.
- Beware: what could go wrong here, and what must not be touched.
Keep to what is particular to this message; leave out what goes without saying. Where you guess a name, a place or a fact, say that you guess. If no tool is needed, say so, and give the gist of the reply.`,
  ];
}

/** `name(argument, argument): what it does`. */
function inOneLine({ name, description = '', parameters = {} }: Tool): string {
  const { properties } = parameters;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const about = description.slice(0, DESCRIPTION_CHARACTERS_MAX).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${name}(${names.slice(0, ARGUMENTS_MAX).join(', ')})${about && `: ${about}`}`;
}

const DESCRIPTION_CHARACTERS_MAX = 200;
const ARGUMENTS_MAX = 12;

/** A conversation whose calls and results are told, by the user: what an assistant says is imitated. */
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
