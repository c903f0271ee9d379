import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../functions/test/support/temporary-directory';
import { questionsOfRuns } from '../study/command/questions-of-runs.ts';
import { readQuestions } from '../study/questions/read-questions.ts';

/** Writes a file, and has something done with it. */
async function withFile<Result>(text: string, work: (file: string) => Result): Promise<Awaited<Result>> {
  const directory = await temporaryDirectory();
  const file = join(directory.path, 'questions.jsonl');
  writeFileSync(file, text);
  try {
    return await work(file);
  } finally {
    await directory.remove();
  }
}

const read = (...questions: object[]) =>
  withFile(questions.map((question) => JSON.stringify(question)).join('\n'), readQuestions);

describe('a file of questions', () => {
  it('has questions with an expected answer, which is read from the last line whatever its wording', async () => {
    const { tasks } = await read({ prompt: 'How many?', expected: '1,200' });
    const [task] = tasks;
    expect(task).toMatchObject({ id: 'question-0001', kind: 'question', isOpen: false });
    expect(task?.prompt).toMatch(/^How many\?\n\nEnd with one line in exactly this form.*\nAnswer: /);
    expect(await task?.check('So it is.\nAnswer: 1200')).toEqual({ isRight: true, hasForm: true, falseFacts: 0 });
    expect(await task?.check('**1200**')).toMatchObject({ isRight: true, hasForm: false });
    expect(await task?.check('Answer: 1201')).toMatchObject({ isRight: false, hasForm: true });
    expect(await task?.check('')).toMatchObject({ isRight: false, hasForm: false });
  });

  it('has questions with checks, which are those of the API', async () => {
    const { tasks } = await read({ prompt: 'Name one.', check: { maxWords: 3, regex: '^[A-Z]' } });
    expect(tasks[0]?.prompt).toBe('Name one.');
    expect(await tasks[0]?.check('An apple')).toEqual({ isRight: true, hasForm: true, falseFacts: 0 });
    expect(await tasks[0]?.check('an apple')).toMatchObject({ isRight: false });
    expect(await tasks[0]?.check('An apple a day keeps')).toMatchObject({ isRight: false });
  });

  it('has open questions, of which nothing says what is right', async () => {
    const { tasks, digest } = await read({ prompt: 'Why?' }, { prompt: 'Why not?', rubric: 'Names a reason.' });
    expect(tasks.map(({ isOpen, rubric }) => [isOpen, rubric])).toEqual([
      [true, undefined],
      [true, 'Names a reason.'],
    ]);
    expect(await tasks[0]?.check('Because.')).toEqual({ isRight: null, hasForm: true, falseFacts: 0 });
    expect(digest).not.toBe((await read({ prompt: 'Why?' })).digest);
  });

  it.each([
    ['{"prompt":', 'line 1: is no JSON'],
    ['\n[]', 'line 2: a question Invalid input: expected object, received array'],
    ['{"prompt":" "}', 'line 1: prompt must not be empty'],
    ['{"prompt":5}', 'line 1: prompt must be a text'],
    ['{"prompt":"a"}\n{"prompt":"a","expected":"a\\nb"}', 'line 2: expected must be one line'],
    ['{"prompt":"a","rubrik":"b"}', 'line 1: rubrik is none of prompt, expected, check, rubric'],
    ['{"prompt":"a","check":{"maxWords":0}}', 'line 1: check.maxWords must be an integer from 1 to 10000'],
    ['{"prompt":"a","check":{"regex":"("}}', 'line 1: check.regex is not a regular expression of RE2: '],
    ['{"prompt":"a","check":{}}', 'line 1: check must have at least one of maxWords, regex, language, jsonSchema'],
    ['\n', 'holds no question'],
  ])('is refused with the line that is wrong: %j', async (text, message) => {
    await withFile(text, (file) =>
      expect(() => readQuestions(file)).toThrow(new RegExp(`^--file ${file}[,]? ${RegExp.escape(message)}`)),
    );
  });
});

describe('questions of saved runs', () => {
  const run = (fields: object) =>
    JSON.stringify({ format: 'ensemble-run', version: 1, prompt: 'Why?', events: [], evaluations: [], ...fields });

  it('are read by the study as they are: the prompt, with the checks of its answer', async () => {
    const text = await withFile(
      run({ request: { messages: [{}], ai_ensemble: { checks: { maxWords: 5 } } } }),
      (file) =>
        // The same twice is one question.
        questionsOfRuns([file, file]),
    );
    expect(text).toBe('{"prompt":"Why?","check":{"maxWords":5}}\n');
    const { tasks } = await withFile(text, readQuestions);
    expect(tasks).toMatchObject([{ prompt: 'Why?', isOpen: false }]);
  });

  it('need no request, which runs of programs do not have', async () => {
    expect(await withFile(run({}), (file) => questionsOfRuns([file]))).toBe('{"prompt":"Why?"}\n');
  });

  it.each([['{'], ['[]'], [run({ format: 'other' })], [run({ prompt: '' })]])(
    'are of no other file: %s',
    async (text) => {
      await withFile(text, (file) =>
        expect(() => questionsOfRuns([file])).toThrow(`${file} is no saved run of the playground`),
      );
    },
  );

  it('are not made of a file that is not there', () => {
    expect(() => questionsOfRuns(['/nowhere/run.json'])).toThrow('/nowhere/run.json does not exist');
  });
});
