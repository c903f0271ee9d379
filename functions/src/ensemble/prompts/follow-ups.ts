import type { Conversation, PromptSheet } from '../sheet';
import { taskSheet } from './task';

/** How many follow-up suggestions are asked for and returned. */
export const FOLLOW_UPS_COUNT = 3;

/** Three things the user may want to ask next. */
export function followUpsPrompt(conversation: Conversation, draft: string | undefined): PromptSheet {
  return taskSheet(conversation, [
    ...(draft === undefined ? [] : ['An answer to it:', { title: 'answer', text: draft }]),
    `Suggest ${FOLLOW_UPS_COUNT} short follow-up messages the user could send next, each different in aim, in the user's language and voice. Reply with a JSON array of ${FOLLOW_UPS_COUNT} strings and nothing else.`,
  ]);
}
