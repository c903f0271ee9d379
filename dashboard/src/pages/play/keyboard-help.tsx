import { useState } from 'react';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Toggle } from '../../ui/toggle';
import styles from './play.module.css';
import { SHORTCUTS } from './shortcuts';

interface KeyboardHelpProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** The keys and what they do, and the switch for those that are a single letter or digit. */
export function KeyboardHelp({ isOn, onChange }: KeyboardHelpProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.help}>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        Shortcuts
      </Button>
      <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)}>
        <dl className={styles.keys}>
          {SHORTCUTS.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <Toggle label="Use single letters and digits as shortcuts" isSelected={isOn} onChange={onChange} />
        <DialogActions>
          <Button onPress={() => setOpen(false)}>Close</Button>
        </DialogActions>
      </Dialog>
    </div>
  );
}
