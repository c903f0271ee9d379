import { isIn } from '../../study/questions/checks.ts';
import { readAnswerLine } from '../reading/answer-line.ts';
import { readNumber } from '../reading/read-number.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Checked, Difficulty, Task } from '../task.ts';
import { identityOf, type TaskOrder } from '../task-order.ts';
import { TASK_LANGUAGES, type TaskLanguage } from './languages.ts';

/** Changes to the stamps, by difficulty. */
const CHANGES: Readonly<Record<Difficulty, number>> = { 1: 2, 2: 4, 3: 7 };
const COUNT_MIN = 20;
const COUNT_MAX = 4_000;

/** A sum told in one of five languages, to be explained and answered in that language. */
export function languageTask(order: TaskOrder, random: SeededRandom): Task {
  const language = TASK_LANGUAGES[(order.number - 1) % TASK_LANGUAGES.length] as TaskLanguage;
  const name = random.pick(language.names);
  const start = random.between(11, 60);
  const story = [language.begins(name, start)];
  let count = start;
  let slip = start;
  for (let change = 0; change < CHANGES[order.difficulty]; change += 1) {
    const kind = random.pick(changesOf(count));
    const by = {
      gains: () => random.between(3, 90),
      loses: () => random.between(3, Math.min(count - 1, 90)),
      multiplies: () => random.between(2, 4),
    }[kind]();
    story.push(language[kind](by));
    // Who slips leaves out the last change.
    slip = count;
    count = { gains: count + by, loses: count - by, multiplies: count * by }[kind];
  }
  const right = String(count);
  const line = (value: string): string => `${language.label}: ${value}`;
  const text = (value: string): string => `${language.explained}\n${line(value)}`;
  return {
    ...identityOf(order),
    language: language.code,
    prompt: `${[...story, language.asks(name)].join(' ')}\n\n${language.howTo(line(`<${language.number}>`))}`,
    expected: text(right),
    wrong: [...new Set([slip, count + 1, count + 10].map(String))].map(text),
    check: (answer) => checked({ language, right }, answer),
  };
}

/** What can happen to so many stamps, so that some are left and the number stays one to reckon with. */
function changesOf(count: number): readonly ('gains' | 'loses' | 'multiplies')[] {
  if (count < COUNT_MIN) return ['gains'];
  return count > COUNT_MAX / 4 ? ['gains', 'loses'] : ['gains', 'loses', 'multiplies'];
}

async function checked(
  { language, right }: { readonly language: TaskLanguage; readonly right: string },
  answer: string,
): Promise<Checked> {
  const line = readAnswerLine(answer, [language.label, 'Answer']);
  const value = line && readNumber(line.value.replace(/枚$/, ''), ['stamps', 'Briefmarken', 'timbres', 'sellos']);
  return {
    isRight: value === right,
    hasForm: line?.hasForm === true && isIn(language.code, answer),
    falseFacts: 0,
  };
}
