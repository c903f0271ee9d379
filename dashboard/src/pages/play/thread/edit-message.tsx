import { useState } from 'react';
import { Button } from '../../../ui/button';
import { TextArea } from '../../../ui/text-area';
import { editedRequest } from './next-request';
import styles from './thread.module.css';
import type { Said } from './turns';
import { useConversation } from './use-conversation';

interface EditMessageProps {
  readonly said: Said;
  readonly label: string;
  readonly onClose: () => void;
}

/** A field for other words in the place of an earlier message, from which the conversation goes on anew. */
export function EditMessage({ said, label, onClose }: EditMessageProps) {
  const conversation = useConversation();
  const [text, setText] = useState(said.text);
  const canRun = conversation?.isOver === true && text.trim() !== '';
  const run = (): void => {
    if (!conversation || !canRun) return;
    onClose();
    conversation.begin(editedRequest(conversation.asked, said.at, text));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for what a button below does
    <div
      className={styles.part}
      onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && run()}
    >
      <TextArea
        label={label}
        description="It runs with the set-up of the latest run; what followed is left out. Earlier runs are kept."
        value={text}
        onChange={setText}
        autoFocus
      />
      <div className={styles.row}>
        <Button kind="primary" isDisabled={!canRun} onPress={run} aria-keyshortcuts="Control+Enter">
          Run again
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </div>
  );
}
