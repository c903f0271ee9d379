import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { readAnswerLine } from '../../tasks/reading/answer-line.ts';
import { normalisedAnswer } from '../analysis/turns.ts';
import { UsageError } from '../command/options.ts';
import type { StudyTask } from '../study-task.ts';
import { checksSchema, passesChecks } from './checks.ts';
import { labelsOf, ratedSchema } from './ratings.ts';

const EXPECTED_MAX = 300;
const text = z.string('must be a text').trim().min(1, 'must not be empty');

/** A line of a file of questions. */
const questionSchema = z.strictObject({
  prompt: text,
  expected: text
    .max(EXPECTED_MAX, `must have at most ${EXPECTED_MAX} characters`)
    .regex(/^[^\n\r]*$/, 'must be one line')
    .optional(),
  check: checksSchema.optional(),
  rubric: text.optional(),
  rated: z.array(ratedSchema).optional(),
});

/** The questions of a file, and a digest by which it is told from another. Throws a UsageError that names the line. */
export function readQuestions(file: string): { readonly tasks: StudyTask[]; readonly digest: string } {
  const content = contentOf(file);
  const lines = content.split('\n');
  const tasks: StudyTask[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const at = `--file ${file}, line ${index + 1}`;
    const { check, ...question } = questionOf(line, at);
    const passes = check && testOf(check, at);
    tasks.push(questionTask(`question-${String(tasks.length + 1).padStart(4, '0')}`, { ...question, passes }));
  }
  if (tasks.length === 0) throw new UsageError(`--file ${file} holds no question`);
  return { tasks, digest: createHash('sha256').update(content).digest('hex').slice(0, 16) };
}

function testOf(check: z.infer<typeof checksSchema>, at: string): (answer: string) => boolean {
  try {
    return passesChecks(check);
  } catch (error) {
    const words = (error as Error).message.replace('error parsing regexp', 'regex is not a regular expression of RE2');
    throw new UsageError(`${at}: check.${words.slice(0, 200)}`);
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--file ${file} cannot be read: ${(error as { code?: string }).code ?? 'failed'}`);
  }
}

function questionOf(line: string, at: string): z.infer<typeof questionSchema> {
  const read = questionSchema.safeParse(jsonOf(line, at));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw new UsageError(`${at}: ${issue.keys[0]} is none of ${Object.keys(questionSchema.shape).join(', ')}`);
  throw new UsageError(`${at}: ${issue?.path.join('.') || 'a question'} ${issue?.message ?? 'is wrong'}`);
}

function jsonOf(line: string, at: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UsageError(`${at}: is no JSON`);
  }
}

/** A question of the user's own. */
interface Question {
  readonly prompt: string;
  readonly expected?: string | undefined;
  readonly passes?: ((answer: string) => boolean) | undefined;
  readonly rubric?: string | undefined;
  readonly rated?: Parameters<typeof labelsOf>[0] | undefined;
}

const END_WITH = 'End with one line in exactly this form, and write nothing after it:\nAnswer: <your answer>';

/**
 * A task of a question. One with an expected answer asks for a last line that holds it, as answers in prose cannot be compared; one
 * with checks has answers that are right where they pass; one with neither is open.
 */
function questionTask(id: string, { prompt, expected, passes, rubric, rated = [] }: Question): StudyTask {
  const isOpen = expected === undefined && passes === undefined;
  return {
    ...{ id, kind: 'question', isOpen },
    prompt: expected === undefined ? prompt : `${prompt}\n\n${END_WITH}`,
    ...(rubric !== undefined && { rubric }),
    labels: labelsOf(rated),
    check: async (answer) => {
      if (isOpen) return { isRight: null, hasForm: true, falseFacts: 0 };
      const line = expected === undefined ? undefined : readAnswerLine(answer);
      const isExpected = expected === undefined || sameAnswer(line?.value, expected);
      const isPassed = passes?.(answer) ?? true;
      return {
        isRight: isExpected && isPassed,
        hasForm: isPassed && (expected === undefined || line?.hasForm === true),
        falseFacts: 0,
      };
    },
  };
}

function sameAnswer(value: string | undefined, expected: string): boolean {
  return value !== undefined && normalisedAnswer(value) === normalisedAnswer(expected);
}
