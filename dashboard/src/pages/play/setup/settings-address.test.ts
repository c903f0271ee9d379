import { settingsIn, writtenSettings } from './kept-settings';
import { NEW_SETTINGS, type RunSettings } from './run-settings';
import { addressOf, settingsAt } from './settings-address';

const FILE = { name: 'notes & more.pdf', media_type: 'application/pdf', data: 'AAAA' } as const;
const FULL: RunSettings = {
  ...NEW_SETTINGS,
  prompt: 'Ist 1+1 = 2? #sure & „ja“',
  history: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ],
  instructions: 'Short.',
  shareInstructions: false,
  files: [FILE],
  strategy: 'debate_tournament',
  rounds: '3',
  participants: ['owl/eagle-1', 'a', 'owl/eagle-1'],
  arbiter: 'c',
  topP: '0.9',
  options: { ...NEW_SETTINGS.options, followUps: false, webSearch: true },
};
const WITHOUT_FILES = { ...FULL, files: [], lostFiles: [FILE.name] };

describe('the address of a set-up', () => {
  it('holds all of it, and of files the names', () => {
    const address = addressOf(FULL);
    expect(address).toMatch(/^prompt=Ist\+1%2B1/);
    expect(settingsAt(address)).toEqual(WITHOUT_FILES);
  });

  it('leaves the panel open where it has none, and says nothing of what is as in a new run', () => {
    expect(addressOf({ ...NEW_SETTINGS, prompt: 'Hi' })).toBe('prompt=Hi');
    const { participants: _participants, arbiter: _arbiter, ...rest } = NEW_SETTINGS;
    expect(settingsAt('prompt=Hi')).toEqual({ ...rest, prompt: 'Hi' });
  });

  it('leaves out what is no JSON where it should be some', () => {
    expect(settingsAt('prompt=Hi&arbiter=c&participants=[a&options=7&history={}')).toEqual({
      ...NEW_SETTINGS,
      prompt: 'Hi',
      arbiter: 'c',
    });
  });

  it.each(['', 'page', 'strategy=single'])('is none with `%s`', (address) =>
    expect(settingsAt(address)).toBeUndefined(),
  );

  it.each([
    [{ prompt: 'a'.repeat(1_950) }, true],
    [{ prompt: 'a'.repeat(2_000) }, false],
    [{ prompt: 'ж'.repeat(400) }, false],
    [{ prompt: 'Hi', instructions: 'a'.repeat(1_000_000) }, false],
  ])('is there where it is short enough', (changes, isThere) =>
    expect(addressOf({ ...NEW_SETTINGS, ...changes }) !== '').toBe(isThere),
  );
});

describe('a set-up that was kept', () => {
  it('is read as it was written', () => {
    const read = settingsIn(JSON.parse(JSON.stringify(writtenSettings(FULL))));
    expect({ ...NEW_SETTINGS, ...read }).toEqual(WITHOUT_FILES);
  });

  it.each([undefined, null, 7, 'prompt', [], [{ prompt: 'Hi' }]])('is none in %p', (kept) =>
    expect(settingsIn(kept)).toBeUndefined(),
  );

  it('loses what is not of its form', () => {
    const hostile = {
      prompt: { toString: 'x' },
      strategy: 'constructor',
      rounds: '99',
      participants: ['a', 7, null, 'x'.repeat(300), ...Array(40).fill('b')],
      history: [{ role: 'system', content: 'x' }, null, { role: 'user', content: 'Hi' }],
      files: [FILE],
      options: { keep: 'no', explanation: false, more: true },
      more: 'x',
      ['__proto__x']: 1,
    };
    expect(settingsIn(hostile)).toEqual({
      strategy: 'competitive_refinement',
      rounds: '2',
      participants: ['a', ...Array(15).fill('b')],
      history: [{ role: 'user', content: 'Hi' }],
      files: [],
      options: { ...NEW_SETTINGS.options, explanation: false },
    });
  });
});
