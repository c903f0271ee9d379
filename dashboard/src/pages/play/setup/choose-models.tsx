import { useEffect, useState } from 'react';
import { ListBox, ListBoxItem, type Selection } from 'react-aria-components';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { count } from '../../../ui/format-number';
import { SearchField } from '../../../ui/search-field';
import { abilityWords, hasWords } from '../../models/model-words';
import { OwnServerNote } from '../../models/own-server-note';
import { usePlatformModels } from '../../models/use-platform-models';
import { type SeatCount, SeatCounts } from './seat-counts';
import styles from './setup.module.css';
import { type RunModel, runModelOf } from './use-run-models';

/** No id is longer. */
const ID_CHARACTERS_MAX = 200;
/** More in a list are found by more words. */
const SHOWN_MAX = 100;

interface ChooseModelsProps {
  readonly title: string;
  readonly models: readonly RunModel[];
  /** Number of models that may be chosen at once. */
  readonly max: number;
  readonly onChoose: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** A search in all models, and any other id; one is chosen by a press, several are added together, each as often as is wanted. */
export default function ChooseModels({ title, models, max, onChoose, onClose }: ChooseModelsProps) {
  const [words, setWords] = useState('');
  const [seats, setSeats] = useState<SeatCount>(new Map());
  const { refetch } = usePlatformModels();
  // A server of one's own may serve others by now.
  useEffect(() => void refetch(), [refetch]);
  const found = models.filter(({ id, name, source }) => hasWords([id, name, source], words));
  const shown = [...found.slice(0, SHOWN_MAX), ...otherId(words, models)];
  const isOne = max === 1;
  const taken = [...seats.values()].reduce((sum, each) => sum + each, 0);
  const choose = (selection: Selection): void => {
    if (selection === 'all') return;
    const ids = [...selection].map(String);
    if (isOne && ids.length > 0) onChoose(ids);
    else setSeats(new Map(ids.map((id) => [id, seats.get(id) ?? 1])));
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <SearchField
        label="Search by name, or enter any id"
        value={words}
        onChange={setWords}
        maxLength={ID_CHARACTERS_MAX}
        autoFocus
      />
      <OwnServerNote />
      <p role="status" className="soft">
        {foundWords(found.length, models.length)}
      </p>
      {shown.length > 0 && (
        <ListBox
          aria-label="Models"
          selectionMode={isOne ? 'single' : 'multiple'}
          selectedKeys={seats.keys()}
          onSelectionChange={choose}
          items={shown}
          className={styles.models ?? ''}
        >
          {(model) => (
            <ListBoxItem id={model.id} textValue={model.name} className={styles.model ?? ''}>
              <span>{model.isOther ? `Use id ${model.id}` : model.name}</span>
              <span className="soft">{factsOf(model)}</span>
            </ListBoxItem>
          )}
        </ListBox>
      )}
      {!isOne && seats.size > 0 && (
        <SeatCounts seats={seats} nameOf={(id) => runModelOf(models, id).name} room={max - taken} onChange={setSeats} />
      )}
      {taken > max && <p role="alert">There is room for {max} more: choose fewer.</p>}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        {!isOne && (
          <Button
            kind="primary"
            isDisabled={taken === 0 || taken > max}
            onPress={() => onChoose([...seats].flatMap(([id, each]) => Array<string>(each).fill(id)))}
          >
            {taken > 1 ? `Add ${taken} ${taken > seats.size ? 'seats' : 'models'}` : 'Add'}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** The id that was written, where no model has it. */
function otherId(words: string, models: readonly RunModel[]): RunModel[] {
  const id = words.trim();
  const isOffered = id !== '' && !/\s/.test(id) && !models.some((model) => model.id === id);
  return isOffered ? [runModelOf(models, id)] : [];
}

function factsOf({ id, name, source, isOther, ...abilities }: RunModel): string {
  if (isOther) return 'Not in the list. If the server does not know it, the run says so.';
  return [...(name === id ? [] : [id]), source, ...abilityWords(abilities)].join(' · ');
}

function foundWords(found: number, all: number): string {
  if (found === 0) return 'No model has these words in its name.';
  const of = `${count(found)} of ${count(all)} models`;
  return found > SHOWN_MAX ? `${of}, of which the first ${SHOWN_MAX} are shown: add words to narrow the list` : of;
}
