import type { Schema } from '../../api/client';
import { fieldsIn, listIn, textIn } from '../../drafts/kept-form';
import { isEvaluation } from '../../evaluate/is-evaluation';
import { settingsIn, writtenSettings } from '../play/setup/kept-settings';
import { NEW_SETTINGS } from '../play/setup/run-settings';
import { SET_UPS_MAX, type SetUp } from './set-ups';

/** A run of a comparison, by which it is found again. */
export interface ComparedRunId {
  readonly name: string;
  readonly prompt: string;
  readonly runId: string;
}

/** A comparison as it was left: what is asked, of whom, and what came of it. */
export interface KeptComparison {
  readonly prompt: string;
  /** Empty: those that are suggested. */
  readonly setUps: readonly SetUp[];
  readonly runs: readonly ComparedRunId[];
  /** The verdict of judges on these runs. */
  readonly verdict?: Schema<'EvaluationList'> | undefined;
}

/** The comparison in what was kept. */
export function comparisonIn(kept: unknown): KeptComparison {
  const { prompt, setUps, runs, verdict } = fieldsIn(kept);
  return {
    prompt: textIn(prompt),
    setUps: listIn(setUps)
      .slice(0, SET_UPS_MAX)
      .map((settings, at) => ({ key: at + 1, settings: { ...NEW_SETTINGS, ...settingsIn(settings) } })),
    runs: listIn(runs)
      .slice(0, SET_UPS_MAX)
      .map(fieldsIn)
      .map((run) => ({ name: textIn(run['name']), prompt: textIn(run['prompt']), runId: textIn(run['runId']) })),
    verdict: isEvaluation(verdict) ? verdict : undefined,
  };
}

/** The comparison as it is written. */
export function writtenComparison({ setUps, ...comparison }: KeptComparison): object {
  return { ...comparison, setUps: setUps.map(({ settings }) => writtenSettings(settings)) };
}
