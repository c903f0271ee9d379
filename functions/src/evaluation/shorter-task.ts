import { estimateTokens } from '../models/estimate-tokens';
import { fitTexts } from '../prompting/context-window';
import { jsonText } from '../prompting/json-text';
import type { JudgeTask, ShownResponse } from './judge-prompts';

/** Texts that are to be cut to less than this are not worth a judgement. */
const TOKENS_MIN = 250;

/**
 * The same task for a judge that refused it for its length: prompt and responses cut to half of what they are together,
 * the long ones in their middle. Undefined where they are too short for that to help.
 */
export function shorterTask(refused: JudgeTask): JudgeTask | undefined {
  const whole = [refused.message, ...refused.shown.map(({ response }) => response)].map(textIn);
  const room = Math.floor(whole.reduce((sum, text) => sum + estimateTokens(text), 0) / 2);
  if (room < TOKENS_MIN) return undefined;
  const texts = fitTexts(whole, room);
  const isCut = (index: number): boolean => texts[index] !== whole[index];
  const textAt = (index: number): string => jsonText(texts[index] ?? '');
  const shown = refused.shown.map((one, at): ShownResponse => {
    return isCut(at + 1) ? { ...one, response: textAt(at + 1), isShortened: true } : one;
  });
  return isCut(0) ? { ...refused, message: textAt(0), isPromptShortened: true, shown } : { ...refused, shown };
}

/** Opening of an opinion given on shortened texts; empty where the judge saw the prompt and the response whole. */
export function shortenedWords({ isPromptShortened }: JudgeTask, { isShortened }: ShownResponse): string {
  const texts = [...(isPromptShortened ? ['the prompt'] : []), ...(isShortened ? ['this response'] : [])];
  return texts.length === 0
    ? ''
    : `The judge was shown ${texts.join(' and ')} shortened: the whole was too long for it.`;
}

/** Texts that reach a task are JSON strings, which must not be cut within an escape. */
function textIn(json: string): string {
  return String(JSON.parse(json));
}
