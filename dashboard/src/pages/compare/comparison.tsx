import { useEffect } from 'react';
import { useKept } from '../../drafts/use-kept';
import { EvaluateForm } from '../../evaluate/evaluate-form';
import { useEvaluation } from '../../evaluate/use-evaluation';
import { Button } from '../../ui/button';
import { Panel } from '../../ui/page';
import { TextArea } from '../../ui/text-area';
import setup from '../play/setup/setup.module.css';
import { SuggestedPrompts } from '../play/setup/suggested-prompts';
import type { RunModel } from '../play/setup/use-run-models';
import type { Suggestions } from '../play/setup/use-suggestions';
import styles from './compare.module.css';
import { CompareTable } from './compare-table';
import { ComparedRun } from './compared-run';
import { comparisonIn, writtenComparison } from './kept-comparison';
import { SetUpFields } from './set-up-fields';
import { bodyOfSetUp, nextSetUp, SET_UPS_MAX, setUpFlaw, setUpName, suggestedSetUps } from './set-ups';
import { type Compared, isOver, runIdsOf, useComparison } from './use-comparison';

interface ComparisonProps {
  readonly models: readonly RunModel[];
  readonly suggestions: Suggestions;
}

/** The prompt and the set-ups, then their runs side by side, then who is found best. */
export function Comparison({ models, suggestions }: ComparisonProps) {
  const [kept, keep] = useKept('comparison', {
    place: 'sessionStorage',
    read: comparisonIn,
    write: writtenComparison,
  });
  const { compared, begin, stop } = useComparison(kept.runs);
  const evaluating = useEvaluation();
  const { prompt, verdict } = kept;
  const setUps = kept.setUps.length > 0 ? kept.setUps : suggestedSetUps(suggestions);
  const change = (changes: Partial<typeof kept>): void => keep({ ...kept, setUps, ...changes });
  const runs = JSON.stringify(runIdsOf(compared));
  const found = evaluating.state.result;
  // biome-ignore lint/correctness/useExhaustiveDependencies: as they come
  useEffect(() => {
    if (runs !== JSON.stringify(kept.runs)) change({ runs: JSON.parse(runs), verdict: undefined });
    else if (found) change({ verdict: found });
  }, [runs, found]);
  const isRunning = compared.some((one) => !isOver(one));
  const flaw = prompt.trim() === '' ? 'Write a prompt, or choose one of those suggested.' : setUpFlaw(setUps);
  const nameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id;
  const run = (): void => {
    evaluating.clear();
    begin(
      prompt,
      setUps.map((setUp) => ({ name: setUpName(setUp, nameOf), body: bodyOfSetUp(setUp, prompt) })),
    );
  };
  const responses = isRunning ? [] : answersOf(compared);
  return (
    <>
      <Panel>
        <TextArea
          label="Prompt"
          value={prompt}
          onChange={(typed) => change({ prompt: typed })}
          placeholder="What do you want to know?"
        />
        {prompt === '' && (
          <SuggestedPrompts suggestions={suggestions} onChoose={(chosen) => change({ prompt: chosen })} />
        )}
        <div className={styles.columns}>
          {setUps.map((setUp, at) => (
            <SetUpFields
              key={setUp.key}
              number={at + 1}
              setUp={setUp}
              models={models}
              onChange={(changed) =>
                change({ setUps: setUps.map((there) => (there.key === changed.key ? changed : there)) })
              }
              {...(setUps.length > 1 && {
                onRemove: () => change({ setUps: setUps.filter(({ key }) => key !== setUp.key) }),
              })}
            />
          ))}
        </div>
        {setUps.length < SET_UPS_MAX && (
          <div>
            <Button icon="plus" onPress={() => change({ setUps: [...setUps, nextSetUp(setUps)] })}>
              Add a set-up
            </Button>
          </div>
        )}
        <div className={setup.run}>
          <span className="soft">{flaw}</span>
          {isRunning ? (
            <Button icon="stop" onPress={stop}>
              Stop all
            </Button>
          ) : (
            <Button kind="primary" isDisabled={flaw !== undefined} onPress={run}>
              Run all
            </Button>
          )}
        </div>
      </Panel>
      {compared.length > 0 && (
        <Panel title="What they took">
          <CompareTable compared={compared} />
        </Panel>
      )}
      <div className={styles.columns}>
        {compared.map((one) => (
          <ComparedRun key={one.name} of={one} />
        ))}
      </div>
      {responses.length > 1 && (
        <Panel title="Which answer is best?">
          <EvaluateForm
            about={{ prompt: compared[0]?.prompt ?? '', responses }}
            evaluating={evaluating}
            earlier={verdict}
          />
        </Panel>
      )}
    </>
  );
}

/** Under the names of their set-ups, of which judges are told nothing. */
function answersOf(compared: readonly Compared[]) {
  return compared.flatMap(({ name, store }, at) => {
    const { answer } = store.shown();
    return answer === '' ? [] : [{ modelId: `set-up-${at + 1}`, modelName: name, response: answer }];
  });
}
