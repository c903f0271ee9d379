import { bodyOf, settingsOf } from './run-body';
import { missingIn, NEW_SETTINGS, type RunSettings } from './run-settings';

const FULL: RunSettings = {
  prompt: 'Is a tomato a fruit?',
  history: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ],
  instructions: 'Answer in French.',
  shareInstructions: false,
  files: [],
  lostFiles: [],
  strategy: 'expert_panel',
  rounds: '3',
  participants: ['a', 'b', 'a'],
  arbiter: 'c',
  temperature: '0.2',
  topP: '0.9',
  maxCostUsd: '0.05',
  maxSeconds: '60',
  graceSeconds: '4',
  maxWords: '80',
  language: 'fr',
  options: { explanation: true, followUps: false, auto: true, webSearch: true, keep: false },
};

describe('the body of a run', () => {
  it('says all that was set up, as the API takes it', () => {
    expect(bodyOf(FULL)).toEqual({
      model: 'c',
      messages: [
        { role: 'system', content: 'Answer in French.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Is a tomato a fruit?' },
      ],
      temperature: 0.2,
      top_p: 0.9,
      ai_ensemble: {
        strategy: 'expert_panel',
        rounds: 3,
        models: ['a', 'b', 'a'],
        shareSystemPrompt: false,
        mode: 'auto',
        webSearch: true,
        includeReasoning: true,
        graceSeconds: 4,
        maxCostUsd: 0.05,
        maxSeconds: 60,
        checks: { maxWords: 80, language: 'fr' },
        includeCandidates: true,
      },
      store: false,
    });
  });

  it('of one model alone names no panel', () => {
    expect(bodyOf({ ...NEW_SETTINGS, strategy: 'single', prompt: 'Hi', participants: ['a'], arbiter: 'c' })).toEqual({
      model: 'c',
      messages: [{ role: 'user', content: 'Hi' }],
      ai_ensemble: { includeFollowUpPrompts: true, includeCandidates: true },
    });
  });

  it('holds a number that is none as it is, for the server to say what is wrong with it', () => {
    expect(JSON.parse(JSON.stringify(bodyOf({ ...FULL, temperature: 'warm' })))).toMatchObject({ temperature: null });
  });

  it('gives back the settings it was made from', () => {
    expect(settingsOf(bodyOf(FULL))).toEqual(FULL);
  });
});

describe('what is missing', () => {
  it.each([
    [{ prompt: ' ' }, /prompt/],
    [{ arbiter: '' }, /answer/],
    [{ participants: [] }, /participant/],
  ])('%j is said', (changes, words) => {
    expect(missingIn({ ...FULL, ...changes })).toMatch(words);
  });
});
