import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../../ui/button';
import { TextArea } from '../../../ui/text-area';
import styles from './thread.module.css';

interface MessageFormProps extends ComponentProps<typeof TextArea> {
  readonly action: string;
  readonly canSend: boolean;
  readonly onSend: () => void;
  /** Stands in the row of the button. */
  readonly children: ReactNode;
}

/** A field for a message of the conversation, sent with its button or with Ctrl+Enter. */
export function MessageForm({ action, canSend, onSend, children, ...field }: MessageFormProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for what the button below does
    <div
      className={styles.part}
      onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && canSend && onSend()}
    >
      <TextArea {...field} />
      <div className="row">
        {children}
        <Button kind="primary" isDisabled={!canSend} onPress={onSend} aria-keyshortcuts="Control+Enter">
          {action}
        </Button>
      </div>
    </div>
  );
}
