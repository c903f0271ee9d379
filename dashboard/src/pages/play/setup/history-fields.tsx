import { Button, IconButton } from '../../../ui/button';
import { Segmented } from '../../../ui/segmented';
import { TextArea } from '../../../ui/text-area';
import type { EarlierMessage } from './run-settings';
import styles from './setup.module.css';

const ROLES = [
  { id: 'user', label: 'User' },
  { id: 'assistant', label: 'Assistant' },
] as const;

interface HistoryFieldsProps {
  readonly history: readonly EarlierMessage[];
  readonly onChange: (history: readonly EarlierMessage[]) => void;
}

/** The messages before the prompt. */
export default function HistoryFields({ history, onChange }: HistoryFieldsProps) {
  const change = (at: number, message: EarlierMessage): void =>
    onChange(history.map((there, place) => (place === at ? message : there)));
  const next = history.at(-1)?.role === 'user' ? 'assistant' : 'user';
  return (
    <div className={styles.stack}>
      {history.length === 0 && <p className="soft">All models are shown these messages before the prompt.</p>}
      {history.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is nothing but its place and its text
        <div key={at} className={styles.message}>
          <div className={styles.row}>
            <Segmented
              label={`Who wrote message ${at + 1}`}
              options={ROLES}
              value={message.role}
              onChange={(role) => change(at, { ...message, role })}
            />
            <IconButton
              icon="close"
              label={`Remove message ${at + 1}`}
              onPress={() => onChange(history.filter((_, place) => place !== at))}
            />
          </div>
          <TextArea
            label={`Message ${at + 1}`}
            value={message.content}
            onChange={(content) => change(at, { ...message, content })}
          />
        </div>
      ))}
      <div>
        <Button icon="plus" onPress={() => onChange([...history, { role: next, content: '' }])}>
          Add an earlier message
        </Button>
      </div>
    </div>
  );
}
