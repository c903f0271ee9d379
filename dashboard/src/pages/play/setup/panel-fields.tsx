import { useState } from 'react';
import { lazyPart } from '../../../loading/lazy-part';
import { letterOf } from '../../../run/seat-words';
import { Button } from '../../../ui/button';
import { Chip } from '../../../ui/chip';
import { PARTICIPANTS_MAX, type RunSettings } from './run-settings';
import styles from './setup.module.css';
import { type RunModel, runModelOf } from './use-run-models';

const ChooseModels = lazyPart(() => import('./choose-models'), { waiting: null });

interface PanelFieldsProps {
  readonly settings: RunSettings;
  readonly models: readonly RunModel[];
  readonly onChange: (settings: RunSettings) => void;
}

/** The participants, and the model that writes the answer. */
export function PanelFields({ settings, models, onChange }: PanelFieldsProps) {
  const [choosing, setChoosing] = useState<'none' | 'participants' | 'arbiter'>('none');
  const { participants, arbiter, strategy } = settings;
  const nameOf = (id: string): string => runModelOf(models, id).name;
  const room = PARTICIPANTS_MAX - participants.length;
  const close = (): void => setChoosing('none');
  const add = (ids: readonly string[]): void => {
    onChange({ ...settings, participants: [...participants, ...ids] });
    close();
  };
  return (
    <div className={styles.panel}>
      {strategy !== 'single' && (
        <fieldset className={styles.seats}>
          <legend className={styles.caption}>Participants</legend>
          <ul className={styles.chips}>
            {participants.map((id, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a model may take part several times, and only its place tells them apart
              <li key={`${at} ${id}`}>
                <Chip
                  name={nameOf(id)}
                  onRemove={() =>
                    onChange({ ...settings, participants: participants.filter((_, place) => place !== at) })
                  }
                >
                  <span className={styles.slot} aria-hidden="true">
                    {letterOf(at)}
                  </span>
                  {nameOf(id)}
                </Chip>
              </li>
            ))}
            {room > 0 && (
              <li>
                <Button icon="plus" onPress={() => setChoosing('participants')}>
                  Add
                </Button>
              </li>
            )}
          </ul>
        </fieldset>
      )}
      <fieldset className={styles.seats}>
        <legend className={styles.caption}>{strategy === 'single' ? 'Model' : 'Arbiter, who writes the answer'}</legend>
        <Button onPress={() => setChoosing('arbiter')}>{arbiter === '' ? 'Choose' : nameOf(arbiter)}</Button>
      </fieldset>
      {choosing === 'participants' && (
        <ChooseModels title="Add participants" models={models} max={room} onChoose={add} onClose={close} />
      )}
      {choosing === 'arbiter' && (
        <ChooseModels
          title="Who writes the answer?"
          models={models}
          max={1}
          onChoose={([id]) => {
            if (id !== undefined) onChange({ ...settings, arbiter: id });
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
