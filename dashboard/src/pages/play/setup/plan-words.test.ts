import type { Schema } from '../../../api/client';
import { planWords } from './plan-words';

const PLAN = {
  strategy: 'expert_panel',
  waves: [{ calls: [] }, { calls: [] }, { calls: [] }],
  models: [],
  calls: 8,
  promptTokens: { low: 1, high: 2 },
  completionTokens: { low: 1, high: 2 },
  costUsd: { low: 0.01, high: 0.031 },
  seconds: 132,
} satisfies Schema<'Plan'>;

describe('a plan in words', () => {
  it.each([
    [{}, 'at most 8 calls in 3 steps · $0.01 to $0.0310 · up to 2 min'],
    [{ calls: 3, waves: [{ calls: [] }] }, 'at most 3 calls in 1 step · $0.01 to $0.0310 · up to 2 min'],
    [{ calls: 1, seconds: 0.2 }, '1 call · $0.01 to $0.0310 · up to 1 s'],
    [{ costUsd: { low: 0.031, high: 0.031 } }, 'at most 8 calls in 3 steps · $0.0310 · up to 2 min'],
    [{ costUsd: { low: 0, high: 0 }, unpricedModels: ['x'] }, 'at most 8 calls in 3 steps · not priced · up to 2 min'],
    [
      { unpricedModels: ['x', 'y'] },
      'at most 8 calls in 3 steps · $0.01 to $0.0310, without x, y (not priced) · up to 2 min',
    ],
  ])('%j', (changes, words) => {
    expect(planWords({ ...PLAN, ...changes }, 'en-US')).toBe(words);
  });
});
