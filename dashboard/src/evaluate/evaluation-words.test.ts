import type { Schema } from '../api/client';
import { applyEvaluationEvent, type EvaluationEvent, NO_EVALUATION } from './evaluation-state';
import { divergenceWords, missingWords, progressLines } from './evaluation-words';

const EVALUATION = {
  modelId: 'a',
  modelName: 'A',
  response: 'Yes',
  criteria: {},
  overallScore: 7.25,
  reasoning: '',
  scoredByJudges: 2,
  totalJudges: 2,
  weighted: false,
  evaluationMode: 'standard',
  divergencePercent: 31.4,
} satisfies Schema<'Evaluation'>;

describe('scores in words', () => {
  it('say how far judges are apart', () => {
    expect(divergenceWords(EVALUATION)).toBe('the judges differ by 31%');
    expect(divergenceWords({ ...EVALUATION, divergencePercent: 0 })).toBe('the judges agree');
    expect(divergenceWords({ ...EVALUATION, scoredByJudges: 1 })).toBeUndefined();
  });

  it('say what was not scored, and never show it as 0', () => {
    expect(missingWords(EVALUATION)).toBeUndefined();
    expect(missingWords({ ...EVALUATION, scoredByJudges: 1 })).toBe('scored by 1 of 2 judges');
    expect(missingWords({ ...EVALUATION, notScored: true })).toMatch(/^not scored/);
  });
});

it('the progress of an evaluation is told by judge, a second look not counted twice', () => {
  const judge = (id: string) => ({ id, name: id.toUpperCase(), index: 'xy'.indexOf(id) });
  const event = (id: string, response: number, state: 'started' | 'done' | 'failed'): EvaluationEvent => {
    return { type: 'judge', judge: judge(id), response, round: 1, state };
  };
  const state = [
    event('x', 0, 'started'),
    event('x', 0, 'done'),
    event('y', 0, 'started'),
    event('y', 1, 'failed'),
    event('x', 0, 'started'),
    event('x', 0, 'done'),
    event('x', 1, 'done'),
  ].reduce(applyEvaluationEvent, NO_EVALUATION);
  expect(progressLines(state, 2).map(({ text }) => text)).toEqual([
    'X has read 2 of 2',
    'Y has read 1 of 2, 1 without a usable score',
  ]);
});
