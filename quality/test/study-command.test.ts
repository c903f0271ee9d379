import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKept } from '../study/run/journal.ts';
import { makeTasks } from '../tasks/make-tasks.ts';
import { type ProviderCall, startProvider, temporaryDirectory } from './support.ts';

/**
 * The command itself, on the whole product with a provider whose models' accuracies are known: refused without a word from its
 * user, stopped at its cap, killed in the middle, and brought to its end.
 */

const TASKS = { seed: 7, count: 18, kinds: ['arithmetic', 'code', 'injected'] } as const;
const STUDY = [
  ...['--panel', 'strong,weak', '--arbiter', 'strong', '--tasks', String(TASKS.count), '--seed', String(TASKS.seed)],
  ...['--kinds', TASKS.kinds.join(','), '--repeats', '1', '--strategies', 'competitive_refinement,auto'],
];
/** The service's own schema of `study.json`; of another package, so no type of ours. */
const SCHEMA: string = '../../functions/src/api/shared/last-study';
const AT_ONCE = 4;
/** Two drafts and an answer. */
const CALLS_OF_A_RUN = 3;
/** 3,000 tokens, which cost a dollar for a million either way. */
const CALL_NANO_USD = 3_000_000;
const SURE = 'I have worked it out, step by step.';
const GUESS = 'At a guess.';
const RIGHT: Readonly<Record<string, (index: number) => boolean>> = {
  strong: (index) => index < 12,
  weak: (index) => index >= 9 && index < 15,
};
const tasks = makeTasks({ ...TASKS, kinds: [...TASKS.kinds] });
const indexes = [...tasks.keys()];
const shareOf = (isRight: (index: number) => boolean) => indexes.filter(isRight).length / TASKS.count;

/** A provider each of whose models is right on its own tasks; whoever is shown a text that was worked out takes that over. */
async function startModels(onCall: (count: number) => void) {
  let count = 0;
  const price = { inputUsdPerMillion: 1, outputUsdPerMillion: 1 };
  const reply = (call: ProviderCall): string => {
    count += 1;
    onCall(count);
    return answer(call);
  };
  const provider = await startProvider(Object.keys(RIGHT), { reply, more: { price } });
  return { ...provider, calls: () => count };
}

function answer({ model, messages }: ProviderCall): string {
  const shown = messages.map(({ content }) => content).join('\n');
  const index = tasks.findIndex(({ prompt }) => shown.includes(prompt));
  const isRight = shown.includes(SURE) || (!shown.includes(GUESS) && RIGHT[model]?.(index) === true);
  return isRight ? `${SURE}\n${tasks[index]?.expected}` : `${GUESS}\n${tasks[index]?.wrong[0]}`;
}

/** A program of Node, and its end. */
function startProgram(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn(process.execPath, args, { cwd: join(__dirname, '..'), env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      output += piece;
    });
  }
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { ended, output: () => output, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

it('plays a study to its end through refusals, its cap and a kill, within what was agreed, and finds what is true', async () => {
  using directory = temporaryDirectory();
  let killAt = Number.POSITIVE_INFINITY;
  let kill = (): unknown => undefined;
  const models = await startModels((count) => count >= killAt && kill());
  const out = join(directory.path, 'study');
  const command = (...more: string[]) =>
    startProgram(['study/command/main.ts', ...STUDY, '--out', 'study', ...more], {
      ...process.env,
      ...models.settings,
      // Where the dashboard of this machine would find it.
      ...{ INIT_CWD: directory.path, DATA_DIR: join(directory.path, 'data') },
      STUDY_FILE: join(directory.path, 'shown', 'study.json'),
    });
  try {
    const unasked = command('--max-usd', '0.02');
    expect(await unasked.ended).toBe(2);
    expect(unasked.output()).toMatch(/^72 runs, and as many samples .*\nTheir plans come to \$0\.\d+ .* and to \$\d/m);
    expect(unasked.output()).toContain('That will not do even for short replies: ');
    expect(unasked.output()).toContain('Nothing was called: there is no terminal to ask at');
    expect(models.calls()).toBe(0);

    // The dearest plan is below 20 cents, so that something fits and not all does.
    const capped = command('--max-usd', '0.25', '--yes');
    expect(await capped.ended).toBe(0);
    expect(capped.output()).toContain('The study is not complete: the next run could pass --max-usd.');
    expect(models.calls()).toBeGreaterThan(0);
    expect(models.calls() * CALL_NANO_USD).toBeLessThanOrEqual(250_000_000);
    expect(readKept(out).spentNanoUsd).toBe(models.calls() * CALL_NANO_USD);

    const killed = command('--max-usd', '5', '--yes');
    kill = () => killed.kill('SIGKILL');
    killAt = models.calls() + 60;
    expect(await killed.ended).toBe('SIGKILL');
    const before = [...readKept(out).runs.values()];
    expect(before.length).toBeGreaterThan(0);
    killAt = Number.POSITIVE_INFINITY;

    const last = command('--max-usd', '5', '--yes');
    expect(await last.ended).toBe(0);
    const left = 72 - before.filter(({ sample }) => sample === 0).length;
    expect(last.output()).toContain(`${left} runs, and as many samples`);
    // What was finished is not played again: only runs that were under way at the kill may have been paid for twice.
    const usefulCalls = [...readKept(out).runs.values()].reduce((sum, { calls }) => sum + calls, 0);
    expect(models.calls() - usefulCalls).toBeLessThanOrEqual(AT_ONCE * CALLS_OF_A_RUN);

    // The arbiter takes over what one of the two has worked out.
    const lines = readFileSync(join(out, 'table.jsonl'), 'utf8').trim().split('\n');
    const rows = Object.fromEntries(lines.map((line) => JSON.parse(line)).map((row) => [row.arm, row]));
    const [strong = () => false, weak = () => false] = [RIGHT['strong'], RIGHT['weak']];
    const either = shareOf((index) => strong(index) || weak(index));
    expect(rows['single strong'].correct.mean).toBeCloseTo(shareOf(strong), 10);
    expect(rows['single weak'].correct.mean).toBeCloseTo(shareOf(weak), 10);
    // On demand two drafts are the end of it where both say the same, which the models do when both are right, or wrong.
    const unlike = shareOf((index) => strong(index) !== weak(index));
    const callsOf = { competitive_refinement: CALLS_OF_A_RUN, auto: CALLS_OF_A_RUN - 1 + unlike };
    for (const [arm, calls] of Object.entries(callsOf)) {
      const difference = { mean: expect.closeTo(either - shareOf(strong), 10) };
      expect(rows[arm]).toMatchObject({
        correct: { mean: expect.closeTo(either, 10) },
        // All samples of a model say the same.
        ...{
          overBestSingle: difference,
          overEqualSpend: difference,
          callsPerAnswer: expect.closeTo(calls, 10),
          form: 1,
        },
        usdPerCorrect: expect.closeTo((calls * CALL_NANO_USD) / 1e9 / either, 10),
      });
    }
    expect(rows['best single, voted on'].callsPerAnswer).toBe(CALLS_OF_A_RUN);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    // What the dashboard shows is the same table.
    const { lastStudySchema } = await import(SCHEMA);
    const shown = lastStudySchema.parse(JSON.parse(readFileSync(join(directory.path, 'shown', 'study.json'), 'utf8')));
    expect(shown.arms.map(({ arm }: { arm: string }) => arm)).toEqual(Object.keys(rows));
    expect(shown.advice.settings).toMatchObject({ model: 'strong' });
    expect(shown.findings).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^Best single .*, all 2 together cannot pass ${(100 * either).toFixed(1)} % \\[.* × the price\\. By first answers`,
        ),
      ),
    );
    const advised = command('--advise');
    expect(await advised.ended).toBe(0);
    // Three tasks that only the weak one knows are within chance.
    expect(advised.output()).toMatch(
      /^Best single .*\nUse single strong .*\nLeft out: competitive_refinement, auto\. /s,
    );
    expect(advised.output()).toContain('DEFAULT_PANEL=strong,weak.');
    expect(last.output()).toContain(readFileSync(join(out, 'report.md'), 'utf8').trim());
  } finally {
    models.close();
  }
}, 300_000);

if (process.env['TEST_LONG'] === '1') {
  it('plays a study with a small real model, whose calls have no price', async () => {
    using directory = temporaryDirectory();
    const args = ['--study', '--tasks', '3', '--out', directory.path];
    const study = startProgram(['../scripts/run.mjs', 'small-model', ...args], process.env);
    expect([await study.ended, study.output()]).toEqual([0, expect.any(String)]);
    const runs = [...readKept(directory.path).runs.values()];
    const singles = ['single small-a', 'single small-b', 'competitive_refinement'];
    expect(singles.map((arm) => runs.filter((run) => run.arm === arm).length)).toEqual([3, 3, 3]);
    // As many samples as a run made calls.
    expect(runs.filter(({ sample }) => sample > 0)).toHaveLength(3 * CALLS_OF_A_RUN);
    expect(runs.every(({ fault, answer, isPriced }) => fault === undefined && answer !== '' && !isPriced)).toBe(true);
    expect(study.output()).toContain('Without a known price, counted as $0.00: small-a, small-b.');
    expect(study.output()).toContain('Not all models have a price: equal spend is taken to be as many calls.');
  }, 900_000);
}
