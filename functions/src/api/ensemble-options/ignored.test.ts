import { ignoredIn } from './ignored';

const HEARD = ['model', 'messages', 'stream', 'temperature', 'top_p', 'reasoning', 'ai_ensemble', 'response_format'];
const REQUEST = { model: 'm', messages: [] };

describe('what a request said without effect', () => {
  it.each([
    ['nothing, in a plain request', {}, []],
    ['nothing, of nulls', { stop: null, tools: null, anything: null, ai_ensemble: { rounds: null, other: null } }, []],
    [
      'nothing, of what changes no answer',
      { user: 'u', metadata: {}, store: true, stream_options: { include_usage: true }, service_tier: 'auto' },
      [],
    ],
    [
      'nothing, of values that ask for nothing',
      { n: 1, presence_penalty: 0, frequency_penalty: 0, logprobs: false, tools: [], stop: [] },
      [],
    ],
    [
      'wishes of OpenAI’s API that are not fulfilled',
      { stop: ['###'], n: 2, max_tokens: 50, presence_penalty: 0.5, seed: 7, tools: [{}] },
      ['stop', 'n', 'max_tokens', 'presence_penalty', 'seed', 'tools'],
    ],
    [
      'options of an ensemble that stand beside ai_ensemble',
      { models: ['a', 'b'], rounds: 2, strategy: 'expert_panel' },
      ['models: belongs in ai_ensemble', 'rounds: belongs in ai_ensemble', 'strategy: belongs in ai_ensemble'],
    ],
    [
      'an extra_body sent as it is',
      { extra_body: { ai_ensemble: {} } },
      ['extra_body: its fields belong in the body itself'],
    ],
    [
      'fields nobody knows, with what was probably meant',
      { temprature: 1, aiEnsemble: {}, topp: 1, zebra: 1 },
      [
        'temprature: unknown, did you mean temperature',
        'aiEnsemble: unknown, did you mean ai_ensemble',
        'topp: unknown, did you mean top_p',
        'zebra: unknown',
      ],
    ],
    [
      'options that were replaced',
      { ai_ensemble: { strategy: 'debate', rounds: 'three', mode: 'fast' } },
      [
        'ai_ensemble.strategy "debate": competitive_refinement was used',
        'rounds "three": 1',
        'ai_ensemble.mode "fast"',
      ],
    ],
    ['rounds out of their bounds', { ai_ensemble: { rounds: 99 } }, ['rounds 99: 10']],
    ['rounds that are not whole', { ai_ensemble: { iterations: 2.5 } }, ['rounds 2.5: 2']],
    [
      'options nobody knows',
      { ai_ensemble: { include_candidates: true, includeReasonning: true, judge: 'x' } },
      [
        'ai_ensemble.include_candidates: unknown, did you mean includeCandidates',
        'ai_ensemble.includeReasonning: unknown, did you mean includeReasoning',
        'ai_ensemble.judge: unknown',
      ],
    ],
    [
      'nothing, of options that are kept to',
      { ai_ensemble: { strategy: 'hierarchical', rounds: 3, mode: 'auto' } },
      [],
    ],
  ])('is %s', (_, fields, expected) => {
    expect(ignoredIn({ ...REQUEST, ...fields }, HEARD)).toEqual(expected);
  });

  it('lists twenty at most, with 40 characters of a name and a value', () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`${index}${'x'.repeat(90)}`, 1]));
    const list = ignoredIn({ ...many, ai_ensemble: { ...many, strategy: 'y'.repeat(1_000_000) } }, HEARD);
    expect(list).toHaveLength(20);
    for (const note of list) expect(note.length).toBeLessThan(120);
  });
});
