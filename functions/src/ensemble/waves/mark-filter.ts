import { type CallResult, failedCall, type GatewayCall } from '../../models/gateway/gateway-call';
import { CopiedFences } from '../../prompting/copied-fences';
import type { Opening } from '../run';
import type { Question } from './question';

/** Filter of one call's reply. */
export interface MarkFilter {
  /** Reader of its pieces, where somebody listens. */
  readonly listening: Pick<GatewayCall, 'onText'>;
  /** The call as it ended, without fences: a reply of nothing else is an empty one. */
  end(result: CallResult): Promise<CallResult>;
}

/** Takes the marks of its prompt out of a reply; undefined for one that is passed on to the letter. */
export function markFilter(
  { conversation: { nonce } }: Opening,
  { plain }: Question,
  onText: GatewayCall['onText'],
): MarkFilter | undefined {
  if (plain) return undefined;
  const fences = new CopiedFences(nonce);
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
    return pass(fences.read(piece));
  };
  return {
    listening: onText ? { onText: listen } : {},
    end: async (result) => {
      if (!result.ok) return { ...result, streamed };
      const whole = new CopiedFences(nonce);
      const text = whole.read(result.text) + whole.end();
      if (text.trim() === '') return { ...failedCall('empty'), streamed };
      if (came) await pass(fences.end());
      return { ...result, text };
    },
  };
}
