import type { Schema } from '../../api/client';
import { Button } from '../../ui/button';
import { contextWords, routerAbilityWords } from './model-words';
import styles from './models.module.css';

interface RouterModelRowProps {
  readonly model: Schema<'RouterModelList'>['models'][number];
  readonly isBusy: boolean;
  readonly onRemove: () => void;
}

/** One added model: its names, what it can, and the way to be rid of it. */
export function RouterModelRow({ model, isBusy, onRemove }: RouterModelRowProps) {
  const { slug, name, contextTokens } = model;
  return (
    <li>
      <div className={styles.names}>
        <span className={styles.name}>{name}</span>
        {name !== slug && <code>{slug}</code>}
      </div>
      <span className={styles.facts}>
        {[...routerAbilityWords(model), `context ${contextWords(contextTokens)}`].join(' · ')}
      </span>
      <Button onPress={onRemove} isDisabled={isBusy} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </li>
  );
}
