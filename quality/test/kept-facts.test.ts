import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { analyse } from '../study/analysis/analyse.ts';
import { markdownReport } from '../study/report/markdown.ts';
import { requestOf, STRATEGY_NAMES } from '../study/run/arms.ts';
import { readKept } from '../study/run/journal.ts';
import { makeTasks } from '../tasks/make-tasks.ts';
import type { Documents, Task } from '../tasks/task.ts';
import { finishedRun, type ProviderCall, startProvider, temporaryDirectory } from './support.ts';

/** Facts that one member alone has: nobody else can know them, and their way into the answer is measured, not guessed. */

const SEED = 38;
const tasks = makeTasks({ seed: SEED, count: 90, kinds: ['kept'] });
const documentsOf = (task: Task): Documents => task.documents as Documents;
/** The words of a document: `label: value`. */
const saidIn = (document: string): string => /“(.*)”/.exec(document)?.[1] ?? '';
const valueIn = (document: string): string => saidIn(document).split(': ')[1] ?? '';

describe('the task', () => {
  it('tells the fact to one member and the false claim to another, and neither to anybody else', async () => {
    for (const task of tasks) {
      const { fact, claim } = documentsOf(task);
      const found = await Promise.all([task.prompt, fact, claim, task.prompt + claim].map(task.check));
      expect({ id: task.id, found }).toMatchObject({
        id: task.id,
        found: [
          { isRight: false, falseFacts: 0 },
          { isRight: true, falseFacts: 0 },
          { isRight: false, falseFacts: 1 },
          { isRight: false, falseFacts: 1 },
        ],
      });
      expect(task.prompt).not.toContain(valueIn(fact));
    }
  });

  const [first] = tasks;
  const { fact, claim } = documentsOf(first as Task);
  const [label = ''] = saidIn(claim).split(': ');
  const onFile = new RegExp(`^${label}: (.*)$`, 'm').exec(first?.prompt ?? '')?.[1] ?? '';

  it.each([
    ['emphasis', `- **Code**: **${valueIn(fact)}**`, true, 0],
    ['a table', `| x | ${valueIn(fact)} |`, true, 0],
    ['JSON', JSON.stringify({ x: valueIn(fact) }), true, 0],
    ['capitals', valueIn(fact).toUpperCase(), true, 0],
    ['a doubt', `${valueIn(fact)} (unconfirmed)`, true, 0],
    ['a part of a longer word', `x${valueIn(fact)}1`, false, 0],
    ['a claim put right in its line', `${label}: ${onFile}, not ${valueIn(claim)}`, false, 0],
    ['a claim taken over', `${label}: ${onFile}\n${label}: ${valueIn(claim)}`, false, 1],
    ['nothing', '', false, 0],
    ['a long text', `${'a: '.repeat(300_000)}${valueIn(fact)}`, true, 0],
  ])('finds the values in %s', async (_, answer, isRight, falseFacts) => {
    expect(await first?.check(answer)).toMatchObject({ isRight, falseFacts });
  });

  it('is shown in every place of a panel, the claim in the next one, and to one alone without it', () => {
    const panel = { panel: ['a', 'b', 'c'], arbiter: 'd', rounds: 1 };
    const documents = { fact: 'F', claim: 'C', turn: 0 };
    const modelsOf = (turn: number, models = panel.panel) =>
      requestOf('hierarchical', { ...panel, panel: models }, { ...documents, turn }).ai_ensemble['models'];
    const f = (id: string) => ({ id, systemPrompt: 'F' });
    const c = (id: string) => ({ id, systemPrompt: 'C' });
    expect([3, 4, 5].map((turn) => modelsOf(turn))).toEqual([
      [f('a'), c('b'), 'c'],
      ['a', f('b'), c('c')],
      [c('a'), 'b', f('c')],
    ]);
    expect(modelsOf(5, ['a'])).toEqual([f('a')]);
    expect(new Set(tasks.map((task) => documentsOf(task).turn % 3)).size).toBe(3);
  });
});

describe('the figures', () => {
  const kept = (task: string, stands: boolean, fields = {}) =>
    finishedRun({ task, arm: 's', isRight: null, keptFact: { reached: true, stands }, costNanoUsd: 7e9, ...fields });
  const runs = [
    ...['t1', 't2'].map((task) => finishedRun({ task, arm: 'single a', costNanoUsd: 1e9 })),
    finishedRun({ task: 't1', arm: 's', costNanoUsd: 3e9, falseFacts: 1 }),
    finishedRun({ task: 't2', arm: 's', costNanoUsd: 3e9, isRight: false, hasForm: false }),
    ...[kept('k1', true), kept('k1', false, { repeat: 2, keptFact: { reached: false, stands: false } })],
    ...[kept('k2', true, { falseFacts: 1, hasForm: false }), kept('k3', true)],
  ];
  const study = { panel: ['a'], strategies: ['s'], seed: 1, judgements: [] };
  const told = (some: typeof runs, ids: readonly string[]) => {
    const analysis = analyse({ ...study, tasks: ids, runs: some });
    return { analysis, markdown: markdownReport({ analysis, about: [], warnings: [] }) };
  };

  it('stand by themselves: what no single model is asked counts for nothing else', () => {
    const { analysis, markdown } = told(runs, ['t1', 't2', 'k1', 'k2', 'k3']);
    const row = analysis.rows.find(({ arm }) => arm === 's');
    expect(row).toMatchObject({
      // Halves of k1, all of k2 and k3.
      keptFacts: { kept: { mean: 2.5 / 3 }, answers: 4, reached: 3, stood: 3, claimsTaken: 1 },
      correct: { mean: 0.5 },
      overBestSingle: { mean: -0.5, tasks: 2 },
      // 6 dollars for one right answer; the kept ones cost 28 more.
      ...{ usdPerCorrect: 6, usdPerAnswer: 3, answers: 2, form: 0.5, falseFactsPerAnswer: 0.5 },
    });
    expect(analysis.ceiling?.drafts.map(({ task }) => task)).toEqual(['t1', 't2']);
    expect(markdown).toContain('| false facts per answer | kept facts % [95 %] | $ per correct |');
    expect(markdown).toContain('s 3 of 4, of which 3 had reached its author');
    expect(markdown).toContain('Claims of one member against the material, taken over: s 1.');
  });

  it('are left out of a report without them, and make one by themselves', () => {
    const without = told(runs.slice(0, 4), ['t1', 't2']).markdown;
    expect(without).not.toMatch(/kept facts/i);
    const alone = told(runs.slice(4), ['k1', 'k2', 'k3']).markdown;
    expect(alone).toMatch(/^\| s \| – \| – \| – \| – \| – \| 83\.3 \[.*\] \| – \| 0\.10 s\/0\.10 s \| 1\.0 \|$/m);
    expect(alone).not.toMatch(/NaN|undefined|Best single model/);
  });
});

/** Values of the lines `label: value` in a text, those of unknown ones left out. */
function valuesIn(shown: string, label: string): string[] {
  const found = [...shown.matchAll(new RegExp(`${label}: ([^\\n”"]+)`, 'g'))].map(([, value = '']) => value.trim());
  return found.filter((value) => value !== 'not on file');
}

/** A member writes what it reads: what it was told is a note of its own. */
function memberReply(system: string, shown: string, labels: readonly string[]): string {
  const own = saidIn(system);
  if (!shown.includes('Reply with one JSON object'))
    return labels.map((label) => `${label}: ${valuesIn(`${own}\n${shown}`, label)[0] ?? 'not known'}`).join('\n');
  return JSON.stringify({
    items: [{ title: 'The note', task: `Write the whole note. ${own}` }],
    ...{ verdict: 'revise', defects: own === '' ? [] : [{ item: 1, severity: 'major', defect: own }] },
    findings: own === '' ? [] : [{ target: '', quote: '', severity: 'major', why: own, fix: '' }],
  });
}

/** Authors of answers: one that takes each value that anybody has, one that takes what most say. */
const AUTHORS: Readonly<Record<string, (values: readonly string[]) => string | undefined>> = {
  uniting: (values) => values.find((value) => value !== 'not known'),
  counting: (values) => {
    const byValue = [...Map.groupBy(values, (value) => value).values()];
    return byValue.toSorted((one, other) => other.length - one.length)[0]?.[0];
  },
};

function reply({ model, messages }: ProviderCall): string {
  const of = (wanted: boolean) =>
    messages.filter(({ role }) => (role === 'system') === wanted).map(({ content }) => content);
  const shown = of(false).join('\n');
  const labels = tasks.find(({ prompt }) => shown.includes(prompt))?.expected.match(/^[^:\n]+(?=:)/gm) ?? [];
  const author = AUTHORS[model];
  return author
    ? labels.map((label) => `${label}: ${author(valuesIn(shown, label)) ?? 'not known'}`).join('\n')
    : memberReply(of(true).join('\n'), shown, labels);
}

it.each([
  ['uniting', STRATEGY_NAMES, 1],
  ['counting', ['competitive_refinement', 'collaborative_synthesis'], 0],
] as const)(
  'every fact reaches the author of an answer; of one that is %s, %j keep all times %d',
  async (arbiter, strategies, share) => {
    using directory = temporaryDirectory();
    using models = await startProvider(['member', ...Object.keys(AUTHORS)], { reply });
    const study = [
      ...['--panel', 'member,member,member', '--arbiter', arbiter, '--strategies', strategies.join(',')],
      ...['--kinds', 'kept', '--tasks', '6', '--repeats', '1', '--seed', String(SEED), '--max-usd', '1', '--yes'],
    ];
    const child = spawn(process.execPath, ['study/command/main.ts', ...study, '--out', directory.path], {
      cwd: join(__dirname, '..'),
      env: { ...process.env, ...models.settings, STUDY_FILE: join(directory.path, 'shown.json') },
    });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, (await output).join('\n')]).toEqual([0, expect.stringContaining('kept facts % [95 %]')]);
    const asked = tasks.slice(0, 6).flatMap(({ id }) => strategies.map((arm) => `${id} ${arm}`));
    const runs = [...readKept(directory.path).runs.values()];
    expect(runs.map(({ task, arm }) => `${task} ${arm}`).sort()).toEqual(asked.sort());
    const wrong = runs.filter(({ keptFact }) => !keptFact?.reached || keptFact.stands !== (share === 1));
    expect(wrong.map(({ task, arm, answer, keptFact }) => ({ task, arm, answer, keptFact }))).toEqual([]);
    // The file stands before the claim, and more members repeat it.
    expect(runs.filter(({ falseFacts }) => falseFacts > 0)).toEqual([]);
    const shown = JSON.parse(readFileSync(join(directory.path, 'shown.json'), 'utf8'));
    expect(shown.arms.map((row: { keptFacts: { mean: number } }) => row.keptFacts.mean)).toEqual(
      strategies.map(() => share),
    );
  },
  120_000,
);
