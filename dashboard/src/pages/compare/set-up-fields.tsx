import { Button } from '../../ui/button';
import { SelectField } from '../../ui/select-field';
import { PanelFields } from '../play/setup/panel-fields';
import { RoundsField } from '../play/setup/rounds-field';
import { STRATEGY_ROWS } from '../play/setup/strategies';
import { StrategyPicture } from '../play/setup/strategy-picture';
import type { RunModel } from '../play/setup/use-run-models';
import styles from './compare.module.css';
import type { SetUp } from './set-ups';

interface SetUpFieldsProps {
  /** 1-based. */
  readonly number: number;
  readonly setUp: SetUp;
  readonly models: readonly RunModel[];
  readonly onChange: (setUp: SetUp) => void;
  /** Absent where it is the only one. */
  readonly onRemove?: () => void;
}

const STRATEGIES = STRATEGY_ROWS.map(({ id, name }) => ({ id, label: name }));

/** One set-up: its strategy, and who takes part. */
export function SetUpFields({ number, setUp, models, onChange, onRemove }: SetUpFieldsProps) {
  const { settings } = setUp;
  const row = STRATEGY_ROWS.find(({ id }) => id === settings.strategy);
  const change = (changes: Partial<SetUp['settings']>): void =>
    onChange({ ...setUp, settings: { ...settings, ...changes } });
  return (
    <fieldset className={styles.setUp}>
      <legend>Set-up {number}</legend>
      <SelectField
        label="Strategy"
        options={STRATEGIES}
        value={settings.strategy}
        onChange={(strategy) => change({ strategy })}
      />
      {row && <StrategyPicture steps={row.picture} />}
      <PanelFields settings={settings} models={models} onChange={change} />
      {settings.strategy !== 'single' && (
        <RoundsField value={settings.rounds} onChange={(rounds) => change({ rounds })} />
      )}
      {onRemove && (
        <div>
          <Button kind="quiet" onPress={onRemove}>
            Remove set-up {number}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
