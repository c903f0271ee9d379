import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readQuestions } from '../study/questions/questions.ts';
import { questionsOfRuns } from '../study/questions/questions-of-runs.ts';
import { temporaryDirectory } from './support.ts';

/** Writes a file, and has something done with it. */
function withFile<Result>(text: string, work: (file: string) => Result): Result {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'questions.jsonl');
  writeFileSync(file, text);
  return work(file);
}

const read = (...questions: object[]) =>
  withFile(questions.map((question) => JSON.stringify(question)).join('\n'), readQuestions);

it.each([
  [{ expected: '1,200' }, 'So it is.\nAnswer: 1200', { isRight: true, hasForm: true }],
  [{ expected: '1,200' }, '**1200**', { isRight: true, hasForm: false }],
  [{ expected: '1,200' }, 'Answer: 1201', { isRight: false, hasForm: true }],
  [{ expected: '1,200' }, '', { isRight: false, hasForm: false }],
  [{ check: { maxWords: 3, regex: '^[A-Z]' } }, 'An apple', { isRight: true, hasForm: true }],
  [{ check: { maxWords: 3, regex: '^[A-Z]' } }, 'an apple', { isRight: false, hasForm: false }],
  [{ check: { maxWords: 3, regex: '^[A-Z]' } }, 'An apple a day keeps', { isRight: false, hasForm: false }],
  [{ rubric: 'Names a reason.' }, 'Because.', { isRight: null, hasForm: true }],
])('a question with %j, answered by %j', async (fields, answer, found) => {
  const [task] = read({ prompt: 'Why?', ...fields }).tasks;
  expect(task).toMatchObject({ id: 'question-0001', kind: 'question', isOpen: found.isRight === null });
  expect(task?.prompt).toMatch('expected' in fields ? /^Why\?\n\nEnd with one line in exactly this form/ : /^Why\?$/);
  expect(await task?.check(answer)).toEqual({ ...found, falseFacts: 0 });
});

it('files of other questions have other digests', () => {
  expect(read({ prompt: 'Why?' }).digest).not.toBe(read({ prompt: 'Why not?' }).digest);
});

it.each([
  ['{"prompt":', 'line 1: is no JSON'],
  ['\n[]', 'line 2: a question Invalid input: expected object, received array'],
  ['{"prompt":" "}', 'line 1: prompt must not be empty'],
  ['{"prompt":"a"}\n{"prompt":"a","expected":"a\\nb"}', 'line 2: expected must be one line'],
  ['{"prompt":"a","rubrik":"b"}', 'line 1: rubrik is none of prompt, expected, check, rubric, rated'],
  ['{"prompt":"a","check":{"maxWords":0}}', 'line 1: check.maxWords must be an integer from 1 to 10000'],
  ['{"prompt":"a","check":{"regex":"("}}', 'line 1: check.regex is not a regular expression of RE2: '],
  ['{"prompt":"a","check":{}}', 'line 1: check must have at least one of maxWords, regex, language, jsonSchema'],
  ['\n', 'holds no question'],
])('a file of questions is refused with the line that is wrong: %j', (text, message) => {
  withFile(text, (file) => expect(() => readQuestions(file)).toThrow(`--file ${file}`));
  withFile(text, (file) => expect(() => readQuestions(file)).toThrow(message));
});

const savedRun = (fields: object) =>
  JSON.stringify({ format: 'ensemble-run', version: 1, prompt: 'Why?', events: [], evaluations: [], ...fields });

it.each([
  [{}, '{"prompt":"Why?"}\n'],
  [
    { request: { messages: [{}], ai_ensemble: { checks: { maxWords: 5 } } } },
    '{"prompt":"Why?","check":{"maxWords":5}}\n',
  ],
])('saved runs become questions, the same twice one: %j', (fields, text) => {
  expect(withFile(savedRun(fields), (file) => questionsOfRuns([file, file]))).toBe(text);
  expect(withFile(text, readQuestions).tasks).toMatchObject([{ prompt: 'Why?' }]);
});

const BEGUN = {
  type: 'run',
  strategy: 'expert_panel',
  participants: [
    { seat: 'p1', modelId: 'model-a' },
    { seat: 'p2', modelId: 'model-b' },
  ],
  arbiter: { modelId: 'model-c' },
};

it('ratings of saved runs are weak labels of their question: told by arm, and their words are for judges', () => {
  using directory = temporaryDirectory();
  const ratings = [
    [{ answer: 'bad', better: 'p2', words: 'It left out the dates.' }, BEGUN],
    [{ answer: 'good' }, { ...BEGUN, strategy: 'pass_through' }],
    [{ answer: 'good', better: 'p9' }, BEGUN],
    [{}, BEGUN],
    [{ answer: 'bad' }, {}],
  ];
  const files = ratings.map(([rating, begun], at) => {
    const file = join(directory.path, `${at}.json`);
    writeFileSync(file, savedRun({ rating, events: [begun] }));
    return file;
  });
  const told = jest.spyOn(console, 'error').mockReturnValue();
  const question = {
    prompt: 'Why?',
    rubric: 'Of an earlier answer, which was bad, a user said: It left out the dates.',
    rated: [
      { arm: 'expert_panel', answer: 'bad', better: 'model-b', words: 'It left out the dates.' },
      { arm: 'single model-c', answer: 'good' },
      { arm: 'expert_panel', answer: 'good' },
    ],
  };
  const text = questionsOfRuns(files);
  expect(text).toBe(`${JSON.stringify(question)}\n`);
  expect(told.mock.calls.flat()).toEqual([
    expect.stringMatching(/^Ratings are weak labels: .* A study says how often it agrees with them, and no more\.$/),
    'expert_panel: 1 good, 1 bad; better than its answer: model-b (1)',
    'single model-c: 1 good, 0 bad',
  ]);
  told.mockRestore();
  expect(withFile(text, readQuestions).tasks).toMatchObject([
    { prompt: 'Why?', rubric: question.rubric, isOpen: true },
  ]);
});

it.each([
  '{',
  '[]',
  savedRun({ rating: { answer: 'great' } }),
  savedRun({ format: 'other' }),
  savedRun({ prompt: '' }),
])('%s is no saved run', (text) => {
  withFile(text, (file) => expect(() => questionsOfRuns([file])).toThrow(`${file} is no saved run of the playground`));
});
