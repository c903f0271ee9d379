import { Button as PresetButton } from 'react-aria-components';
import { IconButton } from '../../../ui/button';
import { setUpName } from '../../compare/set-ups';
import { NEW_SETTINGS } from './run-settings';
import styles from './setup.module.css';
import type { Preset } from './use-presets';

interface PresetRowProps {
  readonly preset: Preset;
  readonly onUse: () => void;
  /** Absent: it is not the user's own. */
  readonly onRemove?: () => void;
}

/** A set-up that is used by a press. */
export function PresetRow({ preset: { name, setUp }, onUse, onRemove }: PresetRowProps) {
  return (
    <li>
      <PresetButton className={`${styles.model} ${styles.preset}`} onPress={onUse}>
        <bdi>{name}</bdi>
        <span className="soft">{setUpName({ key: 0, settings: { ...NEW_SETTINGS, ...setUp } }, (id) => id)}</span>
      </PresetButton>
      {onRemove && <IconButton icon="close" label={`Delete ${name}`} onPress={onRemove} />}
    </li>
  );
}
