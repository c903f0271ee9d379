import { useState } from 'react';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ErrorState } from '../../../ui/error-state';
import { TextField } from '../../../ui/text-field';
import { setUpOf } from './kept-settings';
import { PresetRow } from './preset-row';
import { NEW_SETTINGS, type RunSettings } from './run-settings';
import styles from './setup.module.css';
import { type Preset, usePresets } from './use-presets';
import { suggestedSettings, useSuggestions } from './use-suggestions';

const NAME_CHARACTERS_MAX = 80;

interface PresetsDialogProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
  readonly onClose: () => void;
}

/** The saved set-ups: one is used by a press, the present one is saved under a name. */
export default function PresetsDialog({ settings, onChange, onClose }: PresetsDialogProps) {
  const suggested = { ...setUpOf(NEW_SETTINGS), ...suggestedSettings(useSuggestions()) };
  const { presets, error, refetch, saving, removing } = usePresets();
  const [name, setName] = useState('');
  const [told, setTold] = useState('');
  const [removed, setRemoved] = useState<Preset>();
  const save = async (preset: Preset): Promise<void> => {
    if (!(await saving.run(preset))) return;
    setTold(`“${preset.name}” is saved.`);
    setRemoved(undefined);
    setName('');
  };
  const remove = async (preset: Preset): Promise<void> => {
    if (!(await removing.run(preset))) return;
    setTold(`“${preset.name}” is deleted.`);
    setRemoved(preset);
  };
  const use = (setUp: Preset['setUp']): void => {
    onChange({ ...settings, ...setUp });
    onClose();
  };
  const title = name.trim();
  const failure = saving.error ?? removing.error;
  return (
    <Dialog title="Presets" isOpen onClose={onClose}>
      <form
        className={styles.save}
        onSubmit={(event) => {
          event.preventDefault();
          void save({ name: title, setUp: setUpOf(settings) });
        }}
      >
        <TextField
          label="Save the present set-up as"
          value={name}
          onChange={setName}
          maxLength={NAME_CHARACTERS_MAX}
          description="Strategy, panel, options and instructions, without prompt and files; kept with your account."
        />
        <Button type="submit" kind="primary" isPending={saving.isPending} isDisabled={title === ''}>
          {presets.some((preset) => preset.name === title) ? 'Replace' : 'Save'}
        </Button>
      </form>
      {failure !== undefined && <ErrorState title="The presets were not changed" error={failure} />}
      {error && <ErrorState title="The presets could not be loaded" error={error} onRetry={() => void refetch()} />}
      <div className={styles.chips}>
        <span role="status" className="soft">
          {told}
        </span>
        {removed && (
          <Button kind="quiet" onPress={() => void save(removed)}>
            Undo
          </Button>
        )}
      </div>
      <ul aria-label="Set-ups to use" className={styles.models}>
        <PresetRow preset={{ name: 'The suggested set-up', setUp: suggested }} onUse={() => use(suggested)} />
        {presets.map((preset) => (
          <PresetRow
            key={preset.name}
            preset={preset}
            onUse={() => use(preset.setUp)}
            onRemove={() => void remove(preset)}
          />
        ))}
      </ul>
    </Dialog>
  );
}
