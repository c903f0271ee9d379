import { isIn } from '../study/questions/checks.ts';
import { TASK_LANGUAGES, type TaskLanguage } from './languages.ts';
import { readAnswerLine } from './reading/answer-line.ts';
import { readNumber } from './reading/read-number.ts';
import type { Difficulty, TaskMaker } from './task.ts';

/** Changes to the stamps, by difficulty. */
const CHANGES: Readonly<Record<Difficulty, number>> = { 1: 2, 2: 4, 3: 7 };
const COUNT_MIN = 20;
const COUNT_MAX = 4_000;

/** A sum told in one of five languages, to be explained and answered in that language. */
export const languageTask: TaskMaker = ({ number, difficulty }, random) => {
  const language = TASK_LANGUAGES[(number - 1) % TASK_LANGUAGES.length] as TaskLanguage;
  const name = random.pick(language.names);
  let count = random.between(11, 60);
  let slip = count;
  const story = [language.begins(name, count)];
  for (let change = 0; change < CHANGES[difficulty]; change += 1) {
    const kind = random.pick(changesOf(count));
    const most = { gains: 90, loses: Math.min(count - 1, 90), multiplies: 4 }[kind];
    const by = random.between(kind === 'multiplies' ? 2 : 3, most);
    story.push(language[kind](by));
    // Who slips leaves out the last change.
    slip = count;
    count = { gains: count + by, loses: count - by, multiplies: count * by }[kind];
  }
  const right = String(count);
  const line = (value: string): string => `${language.label}: ${value}`;
  const text = (value: string): string => `${language.explained}\n${line(value)}`;
  return {
    prompt: `${[...story, language.asks(name)].join(' ')}\n\n${language.howTo(line(`<${language.number}>`))}`,
    expected: text(right),
    wrong: [...new Set([slip, count + 1, count + 10].map(String))].map(text),
    check: async (answer) => {
      const found = readAnswerLine(answer, [language.label, 'Answer']);
      const stamps = ['stamps', 'Briefmarken', 'timbres', 'sellos'];
      const value = found && readNumber(found.value.replace(/枚$/, ''), stamps);
      return {
        isRight: value === right,
        hasForm: found?.hasForm === true && isIn(language.code, answer),
        falseFacts: 0,
      };
    },
  };
};

/** Changes after which some stamps are left and the number stays one to reckon with. */
function changesOf(count: number): readonly ('gains' | 'loses' | 'multiplies')[] {
  if (count < COUNT_MIN) return ['gains'];
  return count > COUNT_MAX / 4 ? ['gains', 'loses'] : ['gains', 'loses', 'multiplies'];
}
