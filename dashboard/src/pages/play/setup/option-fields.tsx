import { TextField } from '../../../ui/text-field';
import { Toggle } from '../../../ui/toggle';
import { LanguageField } from './language-field';
import { numberFlaw, RUN_NUMBERS } from './run-numbers';
import type { RunOptions, RunSettings } from './run-settings';
import styles from './setup.module.css';

const SWITCHES: readonly { readonly id: keyof RunOptions; readonly label: string; readonly panelOnly?: true }[] = [
  { id: 'explanation', label: 'Explain the answer (one more call)', panelOnly: true },
  { id: 'auto', label: 'One draft may be enough: let the arbiter decide', panelOnly: true },
  { id: 'webSearch', label: 'Search the web (models with tools; providers bill each search)' },
  { id: 'followUps', label: 'Suggest what to ask next (one small call)' },
  { id: 'keep', label: 'Keep the run, to see and resume it' },
];

interface OptionFieldsProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
}

/** Further options of a run: switches, sampling and caps. */
export default function OptionFields({ settings, onChange }: OptionFieldsProps) {
  const { options, strategy } = settings;
  const isAsked = ({ panelOnly }: { readonly panelOnly?: true }): boolean => !panelOnly || strategy !== 'single';
  const shown = SWITCHES.filter(isAsked);
  const numbers = RUN_NUMBERS.filter(isAsked);
  return (
    <div className={styles.stack}>
      <div className={styles.switches}>
        {shown.map(({ id, label }) => (
          <Toggle
            key={id}
            label={label}
            isSelected={options[id]}
            onChange={(isOn) => onChange({ ...settings, options: { ...options, [id]: isOn } })}
          />
        ))}
      </div>
      <div className={styles.numbers}>
        {numbers.map((number) => (
          <TextField
            key={number.id}
            label={number.label}
            inputMode={number.isWhole ? 'numeric' : 'decimal'}
            value={settings[number.id]}
            onChange={(typed) => onChange({ ...settings, [number.id]: typed })}
            description={number.description}
            error={numberFlaw(number, settings[number.id])}
            {...(number.unit !== undefined && { unit: number.unit })}
          />
        ))}
        <LanguageField value={settings.language} onChange={(chosen) => onChange({ ...settings, language: chosen })} />
      </div>
    </div>
  );
}
