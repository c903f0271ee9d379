import { TextField } from '../../../ui/text-field';
import { Toggle } from '../../../ui/toggle';
import { LanguageField } from './language-field';
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

/** Further options of a run: switches, temperature and caps. */
export default function OptionFields({ settings, onChange }: OptionFieldsProps) {
  const { options, strategy, temperature, maxCostUsd, maxSeconds, graceSeconds, maxWords, language } = settings;
  const shown = SWITCHES.filter(({ panelOnly }) => !panelOnly || strategy !== 'single');
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
        <TextField
          label="Temperature"
          inputMode="decimal"
          placeholder="0 to 2"
          value={temperature}
          onChange={(typed) => onChange({ ...settings, temperature: typed })}
          description="Of the answer; left empty: the provider’s own."
        />
        <TextField
          label="Cost, at most"
          unit="$"
          inputMode="decimal"
          value={maxCostUsd}
          onChange={(typed) => onChange({ ...settings, maxCostUsd: typed })}
          description="The run ends before it passes this."
        />
        <TextField
          label="Seconds, at most"
          inputMode="numeric"
          placeholder="1 to 525"
          value={maxSeconds}
          onChange={(typed) => onChange({ ...settings, maxSeconds: typed })}
          description="Then the answer is written from what is there."
        />
        <TextField
          label="Words, at most"
          inputMode="numeric"
          value={maxWords}
          onChange={(typed) => onChange({ ...settings, maxWords: typed })}
          description="The answer is checked for it, and so are the drafts."
        />
        <LanguageField value={language} onChange={(chosen) => onChange({ ...settings, language: chosen })} />
        {strategy !== 'single' && (
          <TextField
            label="Wait for those who lag, seconds"
            inputMode="decimal"
            value={graceSeconds}
            onChange={(typed) => onChange({ ...settings, graceSeconds: typed })}
            description="Once most have answered; left empty: by how fast the models usually are."
          />
        )}
      </div>
    </div>
  );
}
