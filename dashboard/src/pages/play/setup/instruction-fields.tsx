import { TextArea } from '../../../ui/text-area';
import { Toggle } from '../../../ui/toggle';
import type { RunSettings } from './run-settings';
import styles from './setup.module.css';

interface InstructionFieldsProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
}

/** The system message, and who is shown it. */
export default function InstructionFields({ settings, onChange }: InstructionFieldsProps) {
  const { instructions, shareInstructions, strategy } = settings;
  return (
    <div className={styles.stack}>
      <TextArea
        label="System message"
        placeholder="How the answer is to be: its language, form, length, point of view."
        value={instructions}
        onChange={(text) => onChange({ ...settings, instructions: text })}
      />
      {strategy !== 'single' && (
        <Toggle
          label="Participants follow it too"
          isSelected={shareInstructions}
          onChange={(isShared) => onChange({ ...settings, shareInstructions: isShared })}
        />
      )}
    </div>
  );
}
