import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { RunStrategy } from './run-settings';
import styles from './setup.module.css';
import { STRATEGY_ROWS } from './strategies';
import { StrategyPicture } from './strategy-picture';

interface StrategyPickerProps {
  readonly value: RunStrategy;
  readonly onChange: (strategy: RunStrategy) => void;
}

/** All strategies side by side, each with a drawing of its steps. */
export function StrategyPicker({ value, onChange }: StrategyPickerProps) {
  const chosen = STRATEGY_ROWS.find(({ id }) => id === value);
  return (
    <RadioGroup value={value} onChange={(id) => onChange(id as RunStrategy)} className={styles.strategies ?? ''}>
      <Label className={styles.caption ?? ''}>Strategy</Label>
      <div className={styles.strategyGrid}>
        {STRATEGY_ROWS.map(({ id, name, picture }) => (
          <Radio key={id} value={id} className={styles.strategy ?? ''}>
            <StrategyPicture steps={picture} />
            <span>{name}</span>
          </Radio>
        ))}
      </div>
      {chosen && (
        <p className={styles.soft}>
          {chosen.what} {chosen.when}
        </p>
      )}
    </RadioGroup>
  );
}
