import { fenceNonce } from './fence';
import type { EnsembleRequest, Run } from './run';
import type { Conversation } from './sheet';

/** The run's conversation with the fence mark of this request; a new one before the run has begun. */
export function conversationOf({ id, request, conversation }: BeforeRun & Partial<Run>): Conversation {
  return conversation ?? newConversation({ id, request });
}

/** The conversation of one run, to be made once: what it learns of the texts shown is of use to the whole run. */
export function newConversation({ id, request: { history, prompt, images } }: BeforeRun): Conversation {
  return { history, prompt, nonce: fenceNonce(id), lookedThrough: new Map(), ...(images && { images }) };
}

type BeforeRun = Pick<Run, 'id' | 'request'>;

/** All the user side has said: what names and words are the conversation's own. */
export function userText({ history, prompt }: EnsembleRequest): string {
  return [...history.map((turn) => turn.text), prompt].join('\n');
}
