import { callWords } from '../../run/call-words';
import { useRun } from '../../run/use-run';
import { StatusLabel } from '../../ui/status-label';
import { useElapsed } from './use-elapsed';

/** How a call stands, in words, with its pace while it writes. */
export function CallState({ id }: { readonly id: string | undefined }) {
  const call = useRun(({ calls }) => (id === undefined ? undefined : calls.get(id)));
  const elapsedMs = useElapsed();
  if (!call) return <StatusLabel tone="neutral">Waiting</StatusLabel>;
  const { tone, text } = callWords(call, elapsedMs);
  return <StatusLabel tone={tone}>{text}</StatusLabel>;
}
