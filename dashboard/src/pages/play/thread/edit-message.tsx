import { useState } from 'react';
import { Button } from '../../../ui/button';
import { MessageForm } from './message-form';
import { editedRequest } from './next-request';
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
    onClose();
    conversation?.begin(editedRequest(conversation.asked, said.at, text));
  };
  return (
    <MessageForm
      label={label}
      description="It runs with the set-up of the latest run; what followed is left out. Earlier runs are kept."
      value={text}
      onChange={setText}
      autoFocus
      action="Run again"
      canSend={canRun}
      onSend={run}
    >
      <Button onPress={onClose}>Cancel</Button>
    </MessageForm>
  );
}
