import { type CallResult, failedCall, type GatewayCall } from '../../models/gateway/gateway-call';
import { FULL_LENGTH } from '../../models/model';
import type { KnownMarks } from '../../prompting/mark-lines';
import { wordsIn } from '../../prompting/prompt-draft';
import { CopiedMarks, withoutCopiedMarks } from '../../prompting/without-copied-marks';
import { instructionsIn, type Opening, ownInstructionsIn } from '../run';
import type { Question } from './question';

/** The marks that a reply may copy; undefined for one that nothing is to be taken out of. */
export function marksIn(
  { conversation, request }: Opening,
  { purpose, plain, replaceable, promptDraft }: Pick<Question, 'purpose' | 'plain' | 'replaceable' | 'promptDraft'>,
): KnownMarks | undefined {
  if (plain) return undefined;
  const { nonce, history, message } = conversation;
  const instructions = [...instructionsIn(request), ...ownInstructionsIn(request)];
  const task = wordsIn(promptDraft);
  return {
    nonce,
    usersWords: [message, ...history.map(({ text }) => text), ...instructions],
    // What else models write is read as JSON, whatever stands behind it.
    task: FULL_LENGTH.has(purpose) && task.length > 0 ? task : undefined,
    isReplaceable: replaceable === true,
    isAnswer: purpose === 'answer',
  };
}

/** How a call is to be listened to. */
type Listening = Pick<GatewayCall, 'onText'>;

/**
 * Makes a call and takes these marks out of what its model says, piece by piece where somebody listens. A reply of
 * nothing else is an empty one.
 */
export async function unmarked(
  known: KnownMarks,
  onText: Listening['onText'],
  call: (listen: Listening) => Promise<CallResult>,
): Promise<CallResult> {
  const marks = new CopiedMarks(known);
  let came = false;
  let passedOn = false;
  const pass = (text: string): Promise<void> | undefined => {
    if (text === '') return undefined;
    // Blank lines before another model's answer do no harm.
    passedOn ||= text.trim() !== '';
    return onText?.(text);
  };
  const listen = (piece: string): Promise<void> | undefined => {
    came = true;
    return pass(marks.read(piece));
  };
  const result = await call(onText ? { onText: listen } : {});
  if (!result.ok) return { ...result, streamed: passedOn };
  const text = withoutCopiedMarks(result.text, known);
  if (text.trim() === '') return { ...failedCall('empty'), streamed: passedOn };
  if (came) await pass(marks.end());
  return { ...result, text };
}
