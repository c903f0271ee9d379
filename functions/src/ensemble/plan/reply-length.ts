import { thinksFirst } from '../../models/catalog';
import type { CallPurpose } from '../../models/model';
import type { Seat } from '../panel/panel';

/** What kind of text each call gives. */
type ReplyKind = 'text' | 'form' | 'suggestions';

const KIND: Readonly<Record<CallPurpose, ReplyKind>> = {
  cast: 'form',
  plan: 'form',
  draft: 'text',
  revise: 'text',
  review: 'form',
  attack: 'form',
  analyse: 'form',
  answer: 'text',
  follow_ups: 'suggestions',
  judge: 'form',
};

/** Lengths in tokens. */
interface Lengths {
  readonly least: number;
  /** The mean: half of all replies are clearly shorter. */
  readonly mean: number;
  /** Beyond this is long. */
  readonly long: number;
  /** How much of the message's length may be added, as a text may go through all of it. */
  readonly message: { readonly mean: number; readonly long: number };
}

const NONE = { mean: 0, long: 0 };

/** A text of full length; a judgement, a plan or a review, JSON of a few sentences; three short messages. */
const LENGTHS: Readonly<Record<ReplyKind, Lengths>> = {
  text: { least: 50, mean: 470, long: 1_200, message: { mean: 0.1, long: 1 } },
  form: { least: 20, mean: 330, long: 700, message: NONE },
  suggestions: { least: 10, mean: 60, long: 150, message: NONE },
};

/** What a model that thinks may write before its text, unseen and paid for. */
const THOUGHTS_TOKENS = { mean: 1_000, long: 3_000 };

/** A text of full length that answers a message of so many tokens. */
export function textTokens(messageTokens: number): Omit<Lengths, 'message'> {
  return lengthsOf('text', messageTokens);
}

/** How long a reply of this seat is, in tokens, thoughts included. */
export function replyTokens(
  { model, reasoningEffort }: Seat,
  purpose: CallPurpose,
  messageTokens: number,
): Omit<Lengths, 'message'> {
  const { least, mean, long } = lengthsOf(KIND[purpose], messageTokens);
  const thinks = thinksFirst(model) || reasoningEffort !== undefined;
  const thoughts = thinks ? THOUGHTS_TOKENS : NONE;
  return { least, mean: mean + thoughts.mean, long: long + thoughts.long };
}

function lengthsOf(kind: ReplyKind, messageTokens: number): Omit<Lengths, 'message'> {
  const { least, mean, long, message } = LENGTHS[kind];
  return { least, mean: mean + message.mean * messageTokens, long: long + message.long * messageTokens };
}
