import type { ChatTurn } from '../../../models/model';
import { labelShuffled } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import { newConversation, type PromptBlock, type PromptDraft, renderPrompt } from '../../../prompting/prompt-draft';
import type { Advice } from '../../../runs/turn-store';
import { finalFormWords } from '../../form/form-words';
import type { EnsembleRequest } from '../../run';
import { userTurn } from './user-turn';

/**
 * The arbiter's prompt: the client's conversation and tools, with the advice below the user's words. All requests of a turn
 * have it there in the same bytes, so that what a provider keeps of one is the beginning of the next.
 */
export function actorPrompt(request: EnsembleRequest, advice: readonly Advice[]): PromptDraft {
  const { systemPrompt: system, tools, toolResults } = request;
  const turn = userTurn(request);
  const { before: history = [], said: { text: message } = { text: '' } } = turn ?? {};
  const requestId = request.agent?.turnId ?? request.requestId;
  return {
    system,
    conversation: newConversation({ ...request, history: withEarlierWords(request) }, { requestId, history, message }),
    task: [...adviceBlocks(request, advice), ...finalFormWords(request)],
    ...(toolResults && turn && { below: turn.said }),
    ...(tools && { tools }),
  };
}

/** The words of the service below those of the user, in a prompt at the beginning of a turn. */
export function wordsBelow(request: EnsembleRequest, advice: readonly Advice[]): string {
  const { prompt } = renderPrompt(actorPrompt(request, advice), null);
  return prompt.turns.at(-1)?.text.slice(request.message.length) ?? '';
}

/** The conversation with what the arbiter was shown in the turns before, in the same bytes. */
function withEarlierWords({ history, agent }: EnsembleRequest): readonly ChatTurn[] {
  const words = new Map(agent?.earlier?.map((each) => [each.at, each.words]));
  return history.map((turn, at) => (words.has(at) ? { ...turn, text: turn.text + words.get(at) } : turn));
}

function adviceBlocks({ agent }: EnsembleRequest, advice: readonly Advice[]): PromptBlock[] {
  if (advice.length === 0) return [];
  const shown = advice.map(({ seat: by, text, shown = text }) => ({ by, text: shown }));
  const key = { requestId: agent?.turnId ?? '', reader: 'arbiter', step: 'advice' };
  return [
    'Advice on this message by other models, which were shown the conversation and the list of your tools:',
    ...labelShuffled(shown, key).map(({ label, text, by }) => ({ title: `advice ${label}`, text, by })),
    DATA_RULE,
    'Weigh the advice by its reasons. Where it is wrong, or what your tools return says otherwise, leave it. Work on the message with your tools as it needs, reply as you otherwise would, and do not mention the advice.',
  ];
}
