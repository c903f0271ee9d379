import { fenceNonce } from './fence';
import type { EnsembleRequest, Run } from './run';
import type { Conversation } from './sheet';

/** The run's conversation with the fence mark of this request. */
export function conversationOf({ id, request }: Pick<Run, 'id' | 'request'>): Conversation {
  return { history: request.history, prompt: request.prompt, nonce: fenceNonce(id) };
}

/** All the user side has said: what names and words are the conversation's own. */
export function userText({ history, prompt }: EnsembleRequest): string {
  return [...history.map((turn) => turn.text), prompt].join('\n');
}
