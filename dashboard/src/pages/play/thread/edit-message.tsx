import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../../ui/button';
import { TextArea } from '../../../ui/text-area';
import { editedRequest } from './next-request';
import styles from './thread.module.css';
import type { Said } from './turns';
import { useConversation } from './use-conversation';

interface EditMessageProps {
  readonly said: Said;
  /** True for a model's answer. */
  readonly isAnswer: boolean;
  readonly onClose: () => void;
}

/** A field for other words in the place of an earlier message, from which the conversation goes on anew. */
export function EditMessage({ said, isAnswer, onClose }: EditMessageProps) {
  const { asked, begin, isOver } = useConversation() ?? {};
  const [text, setText] = useState(said.text);
  const canRun = isOver === true && text.trim() !== '';
  const run = (): void => {
    if (!asked || !begin || !canRun) return;
    onClose();
    begin(editedRequest(asked, said.at, text));
  };
  const runByKeys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
    if (event.key === 'Escape') onClose();
    if (event.key === 'Escape' || (event.key === 'Enter' && event.ctrlKey)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for what the buttons below do
    <div className={styles.edit} onKeyDown={runByKeys}>
      <TextArea
        label={isAnswer ? 'The answer in other words' : 'Your message in other words'}
        description={
          isAnswer
            ? 'Your message after it is asked once more; what came later is left out. The runs before stay.'
            : 'It is asked with the set-up of the newest run; what came after it is left out. The runs before stay.'
        }
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
