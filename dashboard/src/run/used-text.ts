import { attemptOf } from './call-words';
import type { RunState } from './run-state';

/** The result of a call: the text its seat stands for since then, and until there is one what has been written. */
export function usedText({ calls, standing }: Pick<RunState, 'calls' | 'standing'>, id: string): string {
  const call = calls.get(id);
  if (!call) return '';
  const stands = call.endedAtMs === undefined ? undefined : standing.find((text) => text.call === id);
  return stands?.text ?? attemptOf(call)?.text ?? '';
}
