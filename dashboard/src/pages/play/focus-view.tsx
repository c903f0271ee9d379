import type { Seat } from '../../run/run-events';
import { letterOf } from '../../run/seat-words';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import styles from './focus-view.module.css';
import { ParticipantCard } from './participant-card';

interface FocusViewProps {
  readonly seat: Seat;
  readonly index: number;
  readonly onClose: () => void;
}

/** One card alone, as wide as reads well; Escape goes back to where it was opened. */
export function FocusView({ seat, index, onClose }: FocusViewProps) {
  return (
    <Dialog title={`${letterOf(index)}, ${seat.label}`} isOpen onClose={onClose} size="wide">
      <div className={styles.focus}>
        <ParticipantCard seat={seat} index={index} />
      </div>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
