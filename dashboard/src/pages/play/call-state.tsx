import { callWords } from '../../run/call-words';
import { useRun } from '../../run/use-run';
import { StatusLabel } from '../../ui/status-label';
import type { Tone } from '../../ui/tone';
import { useElapsed } from './use-elapsed';

/** The state of a call in words, with its pace while it writes. */
export function CallState({ id = '' }: { readonly id: string | undefined }) {
  const elapsedMs = useElapsed();
  // Selected one by one: words stay the same from piece to piece of a text, a call does not.
  const text = useRun(({ calls }) => {
    const call = calls.get(id);
    return call ? callWords(call, elapsedMs).text : 'Waiting';
  });
  const tone = useRun(({ calls }): Tone => {
    const call = calls.get(id);
    return call ? callWords(call, elapsedMs).tone : 'neutral';
  });
  return <StatusLabel tone={tone}>{text}</StatusLabel>;
}
