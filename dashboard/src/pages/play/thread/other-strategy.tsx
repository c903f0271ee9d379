import { RowMenu } from '../../../ui/row-menu';
import { settingsOf } from '../setup/run-body';
import { STRATEGY_ROWS } from '../setup/strategies';
import { againRequest } from './next-request';
import { useConversation } from './use-conversation';

/** Asks the same question of the same panel, in another way. */
export default function OtherStrategy() {
  const conversation = useConversation();
  if (!conversation) return null;
  const { asked, begin } = conversation;
  const { strategy: now } = settingsOf(asked.body);
  return (
    <RowMenu
      label="Run again with another strategy"
      words="Another strategy"
      actions={STRATEGY_ROWS.filter(({ id }) => id !== now).map(({ id, name }) => ({
        id,
        label: name,
        onAction: () => begin(againRequest(asked, { strategy: id })),
      }))}
    />
  );
}
