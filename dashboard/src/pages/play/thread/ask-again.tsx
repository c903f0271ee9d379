import type { Seat } from '../../../run/run-events';
import { Button } from '../../../ui/button';
import { againRequest } from './next-request';
import { useConversation } from './use-conversation';

/** Asks one participant alone what the panel was asked; the answer stands beside that of the panel as another version. */
export function AskAgain({ seat: { modelId, label } }: { readonly seat: Seat }) {
  const conversation = useConversation();
  if (!conversation?.isOver) return null;
  const { asked, begin } = conversation;
  return (
    <Button
      kind="quiet"
      aria-label={`Ask it alone again: ${label}`}
      onPress={() => begin(againRequest(asked, { strategy: 'single', arbiter: modelId }))}
    >
      Ask it alone again
    </Button>
  );
}
