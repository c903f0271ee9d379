import { type KeyboardEvent, useRef } from 'react';
import { lazyPart } from '../../../loading/lazy-part';
import { Button } from '../../../ui/button';
import { Disclosed } from '../../../ui/disclosed';
import { ErrorState } from '../../../ui/error-state';
import { Skeleton } from '../../../ui/skeleton';
import { TextArea } from '../../../ui/text-area';
import { FileFields } from './file-fields';
import { PanelFields } from './panel-fields';
import { RoundsField } from './rounds-field';
import { numbersFlaw } from './run-numbers';
import { RunPlan } from './run-plan';
import { missingIn, type RunSettings } from './run-settings';
import styles from './setup.module.css';
import { StrategyPicker } from './strategy-picker';
import { SuggestedPrompts } from './suggested-prompts';
import { runModelOf, useRunModels } from './use-run-models';
import { useSuggestions } from './use-suggestions';

// Loaded when they are opened.
const HistoryFields = lazyPart(() => import('./history-fields'));
const InstructionFields = lazyPart(() => import('./instruction-fields'));
const OptionFields = lazyPart(() => import('./option-fields'));
const RunCode = lazyPart(() => import('./run-code'));

interface RunSetupProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
  readonly onRun: () => void;
}

/** Everything that a run is made of, and what it will take; Ctrl+Enter anywhere in it begins the run. */
export function RunSetup({ settings, onChange, onRun }: RunSetupProps) {
  const { models, error, retry } = useRunModels();
  const suggestions = useSuggestions();
  const change = (changes: Partial<RunSettings>): void => onChange({ ...settings, ...changes });
  const area = useRef<HTMLTextAreaElement>(null);
  /** The button that was pressed goes, and with it the focus would. */
  const choose = (suggested: string): void => {
    change({ prompt: suggested });
    area.current?.focus();
  };
  const missing = missingIn(settings) ?? numbersFlaw(settings);
  const runByKeys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || missing !== undefined) return;
    event.preventDefault();
    onRun();
  };
  if (error !== undefined) return <ErrorState title="The models could not be loaded" error={error} onRetry={retry} />;
  if (!models) return <Skeleton label="Loading the models" rows={4} rowHeight="72px" />;
  const seated = settings.strategy === 'single' ? [] : settings.participants;
  const taking = [...new Set([...seated, settings.arbiter])].map((id) => runModelOf(models, id));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for what the button below does
    <div className={styles.setup} onKeyDown={runByKeys}>
      <TextArea
        label="Prompt"
        rows={3}
        placeholder="What do you want to know?"
        value={settings.prompt}
        onChange={(prompt) => change({ prompt })}
        area={area}
        autoFocus
      />
      <FileFields settings={settings} models={taking} onChange={onChange} />
      {settings.prompt === '' && suggestions && <SuggestedPrompts suggestions={suggestions} onChoose={choose} />}
      <StrategyPicker value={settings.strategy} onChange={(strategy) => change({ strategy })} />
      <div className={styles.row}>
        <PanelFields settings={settings} models={models} onChange={onChange} />
        {settings.strategy !== 'single' && (
          <RoundsField value={settings.rounds} onChange={(rounds) => change({ rounds })} />
        )}
      </div>
      <div className={styles.more}>
        <Disclosed title={titled('Earlier messages', settings.history.length)}>
          <HistoryFields history={settings.history} onChange={(history) => change({ history })} />
        </Disclosed>
        <Disclosed title={titled('Instructions', settings.instructions.trim() === '' ? 0 : 1)}>
          <InstructionFields settings={settings} onChange={onChange} />
        </Disclosed>
        <Disclosed title="Options">
          <OptionFields settings={settings} onChange={onChange} />
        </Disclosed>
        <Disclosed title="Call this from code">
          <RunCode settings={settings} />
        </Disclosed>
      </div>
      <div className={styles.run}>
        {missing === undefined ? <RunPlan settings={settings} /> : <p className="soft">{missing}</p>}
        <Button kind="primary" isDisabled={missing !== undefined} onPress={onRun} aria-keyshortcuts="Control+Enter">
          Run
        </Button>
      </div>
    </div>
  );
}

function titled(title: string, count: number): string {
  return count === 0 ? title : `${title} (${count})`;
}
