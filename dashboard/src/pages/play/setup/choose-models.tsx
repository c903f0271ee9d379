import { useState } from 'react';
import { ListBox, ListBoxItem, type Selection } from 'react-aria-components';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { SearchField } from '../../../ui/search-field';
import { abilityWords, hasWords } from '../../models/model-words';
import styles from './setup.module.css';
import type { RunModel } from './use-run-models';

interface ChooseModelsProps {
  readonly title: string;
  readonly models: readonly RunModel[];
  /** Number of models that may be chosen at once. */
  readonly max: number;
  readonly onChoose: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** A search in all models; one is chosen by a press, several are added together. */
export default function ChooseModels({ title, models, max, onChoose, onClose }: ChooseModelsProps) {
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const found = models.filter(({ id, name, source }) => hasWords([id, name, source], words));
  const isOne = max === 1;
  const choose = (selection: Selection): void => {
    if (selection === 'all') return;
    const ids = [...selection].map(String);
    if (isOne && ids.length > 0) onChoose(ids);
    else setChosen(new Set(ids));
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <SearchField label="Search by name" value={words} onChange={setWords} autoFocus />
      <p role="status" className={styles.soft}>
        {found.length === 0 ? 'No model has these words in its name.' : `${found.length} of ${models.length} models`}
      </p>
      {found.length > 0 && (
        <ListBox
          aria-label="Models"
          selectionMode={isOne ? 'single' : 'multiple'}
          selectedKeys={chosen}
          onSelectionChange={choose}
          items={found}
          className={styles.models ?? ''}
        >
          {(model) => (
            <ListBoxItem id={model.id} textValue={model.name} className={styles.model ?? ''}>
              <span>{model.name}</span>
              <span className={styles.soft}>{[model.source, ...abilityWords(model)].join(' · ')}</span>
            </ListBoxItem>
          )}
        </ListBox>
      )}
      {chosen.size > max && <p role="alert">There is room for {max} more: choose fewer.</p>}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        {!isOne && (
          <Button
            kind="primary"
            isDisabled={chosen.size === 0 || chosen.size > max}
            onPress={() => onChoose([...chosen])}
          >
            {chosen.size > 1 ? `Add ${chosen.size} models` : 'Add'}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
