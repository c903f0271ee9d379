import { type CallResult, failedCall, type GatewayCall } from '../../models/gateway/gateway-call';
import { FULL_LENGTH } from '../../models/model';
import type { KnownMarks } from '../../prompting/mark-lines';
import { wordsIn } from '../../prompting/prompt-draft';
import { CopiedMarks, withoutCopiedMarks } from '../../prompting/without-copied-marks';
import { instructionsIn, type Opening, ownInstructionsIn } from '../run';
import type { Question } from './question';

/** Filter of one call's reply. */
export interface MarkFilter {
  /** Reader of its pieces, where somebody listens. */
  readonly listening: Pick<GatewayCall, 'onText'>;
  /** The call as it ended, without marks: a reply of nothing else is an empty one. */
  end(result: CallResult): Promise<CallResult>;
}

/**
 * Takes the marks of its prompt out of a reply, which is for people or for other models. Undefined for a reply that is
 * passed on to the letter.
 */
export function markFilter(
  opening: Opening,
  question: Question,
  onText: GatewayCall['onText'],
): MarkFilter | undefined {
  if (question.plain) return undefined;
  const known = marksIn(opening, question);
  const marks = new CopiedMarks(known);
  let came = false;
  let streamed = false;
  const pass = (text: string): Promise<void> | undefined => {
    if (text === '') return undefined;
    // Blank lines before another model's answer do no harm.
    streamed ||= text.trim() !== '';
    return onText?.(text);
  };
  const listen = (piece: string): Promise<void> | undefined => {
    came = true;
    return pass(marks.read(piece));
  };
  return {
    listening: onText ? { onText: listen } : {},
    end: async (result) => {
      if (!result.ok) return { ...result, streamed };
      const text = withoutCopiedMarks(result.text, known);
      if (text.trim() === '') return { ...failedCall('empty'), streamed };
      if (came) await pass(marks.end());
      return { ...result, text };
    },
  };
}

function marksIn({ conversation, request }: Opening, { purpose, replaceable, promptDraft }: Question): KnownMarks {
  const { nonce, history, message } = conversation;
  const task = wordsIn(promptDraft);
  return {
    nonce,
    usersWords: [
      ...[message, ...history.map(({ text }) => text)],
      ...[...instructionsIn(request), ...ownInstructionsIn(request)],
    ],
    // Replies of other kinds are read as JSON, whatever stands behind it.
    task: FULL_LENGTH.has(purpose) && task.length > 0 ? task : undefined,
    isReplaceable: replaceable === true,
    isAnswer: purpose === 'answer',
  };
}
