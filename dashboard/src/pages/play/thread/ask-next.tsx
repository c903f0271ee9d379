import { useKept } from '../../../drafts/use-kept';
import { useRun } from '../../../run/use-run';
import { Button } from '../../../ui/button';
import { settingsOf } from '../setup/run-body';
import { RunPlan } from '../setup/run-plan';
import { MessageForm } from './message-form';
import { nextRequest } from './next-request';
import styles from './thread.module.css';
import { useConversation } from './use-conversation';

/** Kept in this tab until it is asked. */
const NEXT_MESSAGE = {
  place: 'sessionStorage',
  read: (kept: unknown): string => (typeof kept === 'string' ? kept : ''),
  write: (text: string) => text || undefined,
} as const;

/** A field for one's own next message, which is asked with the same set-up; what was said so far is its history. */
export function AskNext() {
  const conversation = useConversation();
  const answer = useRun((state) => (state.end ? state.answer : ''));
  const isBegun = useRun((state) => state.answer !== '');
  const [text, setText] = useKept(`next:${conversation?.asked.runId}`, NEXT_MESSAGE);
  if (!conversation || !isBegun) return null;
  const { asked, begin, setUp } = conversation;
  const next = nextRequest(asked, answer, text);
  const canAsk = conversation.isOver && answer !== '' && text.trim() !== '';
  const ask = (): void => {
    setText('');
    begin(next);
  };
  return (
    <MessageForm
      label="Your next message"
      placeholder="Ask a follow-up: every model sees the conversation so far."
      rows={2}
      value={text}
      onChange={setText}
      action="Ask"
      canSend={canAsk}
      onSend={ask}
    >
      <div className={styles.plan}>
        {canAsk ? <RunPlan settings={settingsOf(next)} /> : <p className="soft">With the same set-up.</p>}
      </div>
      <Button isDisabled={!canAsk} onPress={() => setUp(next)}>
        Change the set-up
      </Button>
    </MessageForm>
  );
}
