import { useState } from 'react';
import { retryOf } from '../api/api-error';
import type { Schema } from '../api/client';
import { lazyPart } from '../loading/lazy-part';
import { useRunModels } from '../pages/play/setup/use-run-models';
import { Button } from '../ui/button';
import { Chip } from '../ui/chip';
import { ErrorState } from '../ui/error-state';
import { Segmented } from '../ui/segmented';
import styles from './evaluate.module.css';
import { EvaluationResult } from './evaluation-result';
import type { EvaluationQuestion } from './evaluation-state';
import { progressLines } from './evaluation-words';
import type { Evaluating } from './use-evaluation';

const ChooseModels = lazyPart(() => import('../pages/play/setup/choose-models'), { waiting: null });

const MODES = [
  { id: 'standard', label: 'All side by side' },
  { id: 'pointwise', label: 'Each by itself' },
] as const;
const JUDGES_MAX = 8;

interface EvaluateFormProps {
  /** The question and answers to be judged; judges see none of the names. */
  readonly about: Pick<EvaluationQuestion, 'prompt' | 'responses' | 'runId'>;
  readonly evaluating: Evaluating;
  /** The evaluation before, shown until there is another. */
  readonly earlier?: Schema<'EvaluationList'> | undefined;
}

/** Chooses judges, shows how far they are, and what they found. */
export function EvaluateForm({ about, evaluating, earlier }: EvaluateFormProps) {
  const { models = [] } = useRunModels();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [mode, setMode] = useState<EvaluationQuestion['mode']>('standard');
  const [isChoosing, setChoosing] = useState(false);
  const { state, isRunning, error, begin, stop } = evaluating;
  const result = state.result ?? (isRunning ? undefined : earlier);
  const judges = chosen.map((id) => ({ id, name: models.find((model) => model.id === id)?.name ?? id }));
  const evaluate = (): void => begin({ ...about, judges, mode });
  return (
    <div className={styles.stack}>
      <p className="soft">
        Judges score {about.responses.length} {about.responses.length === 1 ? 'text' : 'texts'} from 0 to 10 without
        knowing who wrote them. Choose models that did not take part: models favour their own.
      </p>
      <div className="row">
        {judges.map(({ id, name }, at) => (
          <Chip
            // biome-ignore lint/suspicious/noArrayIndexKey: a model may judge several times
            key={`${at} ${id}`}
            name={name}
            onRemove={() => setChosen(chosen.filter((_, place) => place !== at))}
          >
            {name}
          </Chip>
        ))}
        {chosen.length < JUDGES_MAX && (
          <Button icon="plus" onPress={() => setChoosing(true)}>
            Add judges
          </Button>
        )}
        <Segmented label="How judges read the texts" options={MODES} value={mode} onChange={setMode} />
        {isRunning ? (
          <Button icon="stop" onPress={stop}>
            Stop
          </Button>
        ) : (
          <Button kind="primary" isDisabled={judges.length === 0} onPress={evaluate}>
            Evaluate
          </Button>
        )}
      </div>
      {error !== undefined && <ErrorState title="The evaluation failed" error={error} {...retryOf(error, evaluate)} />}
      {state.failure !== undefined && <p role="alert">{state.failure}</p>}
      <div role="status">
        {isRunning && (
          <ul className={styles.progress}>
            {state.readings.size === 0 && <li>The judges are being asked …</li>}
            {progressLines(state, about.responses.length).map(({ judge, text }) => (
              <li key={judge}>{text}</li>
            ))}
          </ul>
        )}
      </div>
      {result && <EvaluationResult result={result} />}
      {isChoosing && (
        <ChooseModels
          title="Add judges"
          models={models}
          max={JUDGES_MAX - chosen.length}
          onChoose={(ids: readonly string[]) => {
            setChosen([...chosen, ...ids]);
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}
