import type { ReactNode } from 'react';
import { roundWords } from '../../run/call-words';
import type { RunState } from '../../run/run-state';
import { runStateWords } from '../../run/run-summary';
import { useRun } from '../../run/use-run';
import { count, usdOfNano } from '../../ui/format-number';
import { StatusLabel } from '../../ui/status-label';
import { MS_A_SECOND } from '../../ui/time-units';
import styles from './run-head.module.css';
import { useElapsed } from './use-elapsed';

const SECONDS_A_MINUTE = 60;

/** The state of the run as a whole: its step, and its cost and time so far. */
export function RunHead({ actions }: { readonly actions: ReactNode }) {
  const step = useRun(stepWords);
  const outcome = useRun(({ end }) => end?.outcome);
  const message = useRun(({ end }) => end?.message ?? '');
  const { tone, text } = outcome
    ? runStateWords({ state: outcome, message })
    : { tone: 'neutral' as const, text: step };
  const { promptTokens, completionTokens, costNanoUsd, calls: attempts } = useRun(({ spent }) => spent);
  const done = useRun(callsDone);
  const callsMax = useRun(({ run }) => run?.callsMax ?? 0);
  const unpriced = useRun(({ end }) => end?.unpricedModels ?? NONE);
  return (
    <div className={styles.head}>
      <StatusLabel tone={tone}>{text}</StatusLabel>
      <dl className={styles.figures}>
        <Figure name="Time">
          <Elapsed />
        </Figure>
        <Figure name="Calls">
          <span title={`${count(attempts)} attempts`}>{count(done)}</span>{' '}
          <span className={styles.soft}>of at most {count(callsMax)}</span>
        </Figure>
        <Figure name="Tokens">
          <span title="Tokens that the models read, and tokens that they wrote">
            {count(promptTokens)} + {count(completionTokens)}
          </span>
        </Figure>
        <Figure name="Cost">
          {usdOfNano(costNanoUsd)}
          {unpriced.length > 0 && <span className={styles.soft}> and {unpriced.join(', ')}, not priced</span>}
        </Figure>
      </dl>
      <div className="row">{actions}</div>
    </div>
  );
}

const NONE: readonly string[] = [];

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Elapsed() {
  const elapsedS = Math.floor(useElapsed() / MS_A_SECOND);
  const rest = String(elapsedS % SECONDS_A_MINUTE).padStart(2, '0');
  return `${Math.floor(elapsedS / SECONDS_A_MINUTE)}:${rest}`;
}

function callsDone({ calls }: RunState): number {
  return [...calls.values()].filter(({ endedAtMs, attempts }) => endedAtMs !== undefined && attempts.length > 0).length;
}

function stepWords({ run, rounds, answer }: RunState): string {
  if (!run) return 'Starting';
  if (answer !== '') return 'The answer is being written';
  const step = rounds.at(-1);
  return step ? roundWords(step) : 'Starting';
}
