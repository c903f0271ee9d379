import { Button } from '../../ui/button';
import { useConversation } from './thread/use-conversation';

/** Begins a run that came to nothing once more, as it was asked. */
export function RunAgain() {
  const conversation = useConversation();
  if (!conversation?.isOver) return null;
  const { asked, begin } = conversation;
  return (
    <Button kind="primary" icon="play" onPress={() => begin(asked.body)}>
      Run again
    </Button>
  );
}
