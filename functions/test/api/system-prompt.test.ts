import { type App, QUESTION, startApp } from '../support/app';

const CHARACTERS_MAX = 100_000;
const LONGEST = `${'a'.repeat(CHARACTERS_MAX - 1)}b`;

/** `ai_ensemble.systemPrompt` beside the first system message, and what the arbiter must be told. */
const ROWS: readonly { rule: string; option?: unknown; message?: string; expected: string | undefined }[] = [
  { rule: 'absent everywhere: no instructions', expected: undefined },
  { rule: 'the first system message instructs the arbiter', message: 'Be brief.', expected: 'Be brief.' },
  { rule: 'systemPrompt instructs the arbiter', option: 'Be kind.', expected: 'Be kind.' },
  {
    rule: 'systemPrompt takes precedence over the system message',
    option: 'Be kind.',
    message: 'Be brief.',
    expected: 'Be kind.',
  },
  { rule: 'an empty systemPrompt counts as absent', option: '', message: 'Be brief.', expected: 'Be brief.' },
  { rule: 'an empty systemPrompt alone instructs nobody', option: '', expected: undefined },
  { rule: 'systemPrompt null counts as absent', option: null, message: 'Be brief.', expected: 'Be brief.' },
  { rule: 'systemPrompt of 100000 characters is kept whole', option: LONGEST, expected: LONGEST },
  { rule: 'systemPrompt of 100001 characters loses the last one', option: `${LONGEST}c`, expected: LONGEST },
  {
    rule: 'systemPrompt of 250000 characters is cut to 100000',
    option: LONGEST + 'd'.repeat(150_000),
    expected: LONGEST,
  },
];

describe('POST /v1/chat/completions: the arbiter’s instructions', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  const fieldsOf = ({ option, message }: (typeof ROWS)[number]): Record<string, unknown> => ({
    messages: [
      ...(message === undefined ? [] : [{ role: 'system', content: message }]),
      { role: 'user', content: QUESTION },
    ],
    ...(option !== undefined && { ai_ensemble: { systemPrompt: option } }),
  });

  it.each(ROWS)('one model: $rule', async (row) => {
    const { status, calls } = await app.complete(fieldsOf(row));
    expect(status).toBe(200);
    expect(calls.map(({ prompt }) => prompt.system)).toEqual([row.expected]);
  });

  it.each(ROWS)('an ensemble: $rule', async (row) => {
    const fields = fieldsOf(row);
    const options = { ...(fields['ai_ensemble'] as object | undefined), models: ['demo-blaise', 'demo-curie'] };
    const { status, calls } = await app.complete({ ...fields, ai_ensemble: options });
    expect(status).toBe(200);
    const answers = calls.filter(({ purpose }) => purpose === 'answer');
    expect(answers.map(({ prompt }) => prompt.system)).toEqual([row.expected]);
  });

  it('participants never see it, in no round and no form, also when the arbiter takes part itself', async () => {
    const { status, calls } = await app.complete({
      messages: [
        { role: 'system', content: 'OVERRULED-WORD' },
        { role: 'user', content: QUESTION },
      ],
      ai_ensemble: { models: ['demo-ada', 'demo-curie'], rounds: 3, systemPrompt: 'SECRET-WORD' },
    });
    expect(status).toBe(200);
    const participants = calls.filter(({ purpose }) => purpose !== 'answer');
    expect(participants).toHaveLength(2 * 3);
    const seen = JSON.stringify(participants.map(({ prompt }) => prompt));
    expect(seen).not.toContain('SECRET-WORD');
    expect(seen).not.toContain('OVERRULED-WORD');
    expect(participants.every(({ prompt }) => prompt.system === undefined)).toBe(true);
  });
});
