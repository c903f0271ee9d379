import { useState } from 'react';
import { Button as PromptButton } from 'react-aria-components';
import { Button } from '../../../ui/button';
import styles from './setup.module.css';
import type { Suggestions } from './use-suggestions';

const SHOWN_FIRST = 4;

interface SuggestedPromptsProps {
  readonly suggestions: Suggestions;
  readonly onChoose: (prompt: string) => void;
}

/** Prompts that are worth a first look. */
export function SuggestedPrompts({ suggestions: { prompts, scripted }, onChoose }: SuggestedPromptsProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? prompts : prompts.slice(0, SHOWN_FIRST);
  return (
    <section aria-label="Suggested prompts" className={styles.stack}>
      <div className={styles.suggestions}>
        {shown.map((prompt) => (
          <PromptButton key={prompt} className={styles.suggestion ?? ''} onPress={() => onChoose(prompt)}>
            {prompt}
          </PromptButton>
        ))}
        {!isWhole && prompts.length > SHOWN_FIRST && (
          <Button kind="quiet" onPress={() => setWhole(true)}>
            More
          </Button>
        )}
      </div>
      {scripted && (
        <p className="soft">
          No provider key is set on this server: demo models answer, which follow a script. For these prompts they have
          something to say; what they cost is made up.
        </p>
      )}
    </section>
  );
}
