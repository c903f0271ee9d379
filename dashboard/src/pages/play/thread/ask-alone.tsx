import type { Seat } from '../../../run/run-events';
import { useRun } from '../../../run/use-run';
import { isAlone } from '../card-view';
import styles from '../participant-card.module.css';
import { againRequest } from './next-request';
import { useConversation } from './use-conversation';

/** Asks one participant alone what the panel was asked; the answer stands beside that of the panel as another version. */
export function AskAlone({ seat: { modelId, label } }: { readonly seat: Seat }) {
  const conversation = useConversation();
  const alone = useRun(isAlone);
  if (!conversation?.isOver || alone) return null;
  const { asked, begin } = conversation;
  return (
    <button
      type="button"
      className={styles.small}
      aria-label={`Ask this model alone: ${label}`}
      onClick={() => begin(againRequest(asked, { strategy: 'single', arbiter: modelId }))}
    >
      Ask this model alone
    </button>
  );
}
