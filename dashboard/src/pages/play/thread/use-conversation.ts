import { createContext, useContext } from 'react';
import type { RunBody } from '../setup/run-body';
import type { AskedBody } from './next-request';

/** The conversation that the run of a page is in, and the ways in which it goes on. */
export interface Conversation {
  readonly asked: AskedBody;
  /** True once the run is over: before that nothing can follow it. */
  readonly isOver: boolean;
  /** Begins a run; one that lacks something is shown in the form first. */
  readonly begin: (next: RunBody) => void;
  /** Shows a request in the form. */
  readonly setUp: (next: RunBody) => void;
}

/** The conversation of a page; undefined where its request is unknown, and so nothing can be added. */
export const ConversationContext = createContext<Conversation | undefined>(undefined);

/** That conversation. */
export function useConversation(): Conversation | undefined {
  return useContext(ConversationContext);
}
