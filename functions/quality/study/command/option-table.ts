import { type OptionRow, typedAs } from '../../../src/cli/option-table';

/** All options of `npm run quality`. */
export const OPTION_TABLE = {
  panel: {
    value: 'A,B,C',
    text: 'the participants: ids of models, separated by commas; one may be named several times',
  },
  arbiter: { value: 'D', text: 'the model that writes the answers of an ensemble' },
  'max-usd': { value: 'USD', text: 'what the study may cost; nothing is begun that could pass it' },
  tasks: { value: 'N', text: 'how many tasks; default 465' },
  kinds: { value: 'LIST', text: 'kinds of tasks; default: all' },
  file: { value: 'FILE', text: 'questions of your own in place of the tasks, a line of JSON each' },
  judges: { value: 'LIST', text: 'models that compare the answers to open questions of the file' },
  seed: { value: 'N', text: 'another seed makes other tasks; default 1' },
  repeats: { value: 'N', text: 'how often each arm answers each task; default 3' },
  rounds: { value: 'N', text: 'rounds of the strategies, 1 to 10; default 1' },
  strategies: { value: 'LIST', text: 'the strategies to compare, and auto; default: all' },
  'at-once': { value: 'N', text: 'runs side by side, 1 to 16; default 4' },
  out: { value: 'FOLDER', text: 'where runs and reports are kept; default quality-study' },
  url: { value: 'BASE', text: 'the base URL of a running server, in place of one that is started for the study' },
  key: { value: 'KEY', text: 'an API key of that server' },
  yes: { text: 'go ahead without being asked' },
  advise: { text: 'no study: say which arm of the one in FOLDER is the cheapest good one, and how to use it' },
  'from-runs': { text: 'no study: make a file of questions from saved runs of the playground' },
  flow: { text: 'no study: what the strategies make of scripted models that are right so often; no model is called' },
  help: { text: 'this' },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** How the command is used. */
export function helpText(): string {
  const typed = Object.entries(OPTION_TABLE).map(([name, row]) => ({ name: typedAs(name, row), text: row.text }));
  const width = Math.max(...typed.map(({ name }) => name.length));
  return [
    'Compares ensembles with single models, on tasks whose answers a program can check.',
    '',
    'usage: npm run quality -- --panel A,B,C --arbiter D --max-usd USD [options]',
    '       npm run quality -- --advise [--out FOLDER]',
    '       npm run quality -- --flow [--out FOLDER]',
    '       npm run quality -- --from-runs FILE... > questions.jsonl',
    '',
    ...typed.map(({ name, text }) => `  ${name.padEnd(width)}  ${text}`),
    '',
    'What it is likely to cost is told and asked for first. An interrupted study goes on with the same command.',
    'Exit code: 0 done, 1 failed, 2 wrong usage or not confirmed, 130 interrupted.',
  ].join('\n');
}
