import { lazy } from '../../lib/lazy';
import { type CallResult, failedCall, type GatewayCall } from '../../models/gateway/gateway-call';
import { FULL_LENGTH } from '../../models/model';
import { CopiedFences } from '../../prompting/copied-fences';
import { CopiedLines } from '../../prompting/copied-lines';
import { wordsIn } from '../../prompting/prompt-draft';
import { finalFormWords } from '../form/form-words';
import { callersTexts, type Opening } from '../run';
import type { Question } from './question';

/** Filter of one call's reply. */
export interface MarkFilter {
  /** Reader of its pieces, where somebody listens. */
  readonly listening: Pick<GatewayCall, 'onText' | 'onToolCall'>;
  /** The call as it ended, without marks: a reply of nothing else is an empty one. */
  end(result: CallResult): Promise<CallResult>;
}

/**
 * Takes copies of its prompt out of a reply; undefined for one that is passed on to the letter. A reply of nothing but
 * its task stays where no other text takes its place.
 */
export function markFilter(
  opening: Opening,
  question: Question,
  { onText, onToolCall }: MarkFilter['listening'],
): MarkFilter | undefined {
  if (question.plain) return undefined;
  const marks = lazy(() => copiedMarks(opening, question));
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
    return pass(marks().read(piece));
  };
  const called: GatewayCall['onToolCall'] = (piece) => {
    streamed = true;
    return onToolCall?.(piece);
  };
  return {
    listening: { ...(onText && { onText: listen }), ...(onToolCall && { onToolCall: called }) },
    end: async (result) => {
      if (!result.ok) return { ...result, streamed };
      const own = readWhole(copiedMarks(opening, question), result.text);
      const isTaskAlone = own.trim() === '';
      const text = isTaskAlone && !question.replaceable ? readWhole(copiedFences(question), result.text) : own;
      if (text.trim() === '' && !result.toolCalls) return { ...failedCall('empty'), streamed };
      if (came) await pass(isTaskAlone && !streamed ? text : marks().end());
      return { ...result, text };
    },
  };
}

/** Reader of a reply in pieces that leaves out what is not the model's own. */
interface CopyReader {
  read(piece: string): string;
  end(): string;
}

function copiedFences({ promptDraft: { conversation } }: Question): CopyReader {
  return new CopiedFences(conversation.nonce);
}

/** Fences, and lines where a text is asked for: other replies are read as JSON, whatever stands beside it. */
function copiedMarks({ request }: Opening, question: Question): CopyReader {
  const { purpose, promptDraft } = question;
  const fences = copiedFences(question);
  if (!FULL_LENGTH.has(purpose) || request.answerForm) return fences;
  // What an answer is checked for is the caller's, too.
  const usersTexts = [...callersTexts(request), ...finalFormWords(request)];
  const lines = new CopiedLines({ task: wordsIn(promptDraft), usersTexts });
  return {
    read: (piece) => lines.read(fences.read(piece)),
    end: () => lines.read(fences.end()) + lines.end(),
  };
}

function readWhole(reader: CopyReader, text: string): string {
  return reader.read(text) + reader.end();
}
