import { useLayoutEffect, useRef } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { RunStrategy } from './run-settings';
import styles from './setup.module.css';
import { STRATEGY_ROWS } from './strategies';
import { StrategyPicture } from './strategy-picture';

interface StrategyPickerProps {
  readonly value: RunStrategy;
  readonly onChange: (strategy: RunStrategy) => void;
}

/** All strategies side by side, each with a drawing of its steps; on a phone in a strip, with the drawing of the chosen one. */
export function StrategyPicker({ value, onChange }: StrategyPickerProps) {
  const chosen = STRATEGY_ROWS.find(({ id }) => id === value);
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const chip = strip.current?.querySelector<HTMLElement>('[data-selected]');
    if (strip.current && chip) strip.current.scrollLeft = chip.offsetLeft;
  }, []);
  return (
    <RadioGroup value={value} onChange={(id) => onChange(id as RunStrategy)} className={styles.strategies ?? ''}>
      <Label className={styles.caption ?? ''}>Strategy</Label>
      <div ref={strip} className={styles.strategyGrid}>
        {STRATEGY_ROWS.map(({ id, name, picture }) => (
          <Radio key={id} value={id} className={styles.strategy ?? ''}>
            <StrategyPicture steps={picture} />
            <span>{name}</span>
          </Radio>
        ))}
      </div>
      {chosen && (
        <div className={`${styles.chosen} soft`}>
          <StrategyPicture steps={chosen.picture} />
          <p>
            {chosen.what} <span className={styles.wide}>{chosen.when}</span>
          </p>
        </div>
      )}
    </RadioGroup>
  );
}
