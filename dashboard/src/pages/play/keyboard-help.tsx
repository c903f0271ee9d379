import { useState } from 'react';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Toggle } from '../../ui/toggle';
import styles from './play.module.css';

const SHORTCUTS = [
  { keys: 'Ctrl + Enter', does: 'runs what is set up' },
  { keys: 'Esc', does: 'stops the run' },
  { keys: '1 – 9', does: 'goes to the card of a participant' },
  { keys: 'v', does: 'goes to the answer' },
  { keys: 'f', does: 'shows the focused card alone, or else the first' },
] as const;

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
