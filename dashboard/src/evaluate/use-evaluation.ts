import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api-context';
import { applyEvaluationEvent, type EvaluationQuestion, type EvaluationState, NO_EVALUATION } from './evaluation-state';
import { requestEvaluation } from './request-evaluation';

/** An evaluation that a part of the page asks for. */
export interface Evaluating {
  readonly state: EvaluationState;
  readonly isRunning: boolean;
  /** Why it was refused, or broke off. */
  readonly error: unknown;
  begin(question: EvaluationQuestion): void;
  stop(): void;
  /** Stops it, and forgets what was found. */
  clear(): void;
}

const BROKEN_OFF = 'The connection broke off before the judges were done.';

/** Begins nothing by itself; what runs is stopped when the part of the page is gone. */
export function useEvaluation(): Evaluating {
  const api = useApi();
  const [state, setState] = useState(NO_EVALUATION);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const stop = (): void => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  const begin = async (question: EvaluationQuestion): Promise<void> => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    setState(NO_EVALUATION);
    setError(undefined);
    setRunning(true);
    let latest = NO_EVALUATION;
    try {
      await requestEvaluation(api, question, {
        signal: controller.signal,
        tell: (event) => {
          latest = applyEvaluationEvent(latest, event);
          setState(latest);
        },
      });
      if (!latest.result && latest.failure === undefined) setError(new Error(BROKEN_OFF));
    } catch (cause) {
      if (!controller.signal.aborted) setError(cause);
    }
    if (running.current === controller) setRunning(false);
  };
  const clear = (): void => {
    stop();
    setState(NO_EVALUATION);
    setError(undefined);
  };
  return { state, isRunning, error, begin: (question) => void begin(question), stop, clear };
}
