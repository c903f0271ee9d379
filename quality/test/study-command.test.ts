import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastStudySchema } from '../../functions/src/api/shared/last-study';
import { isLongMode } from '../../functions/test/support/long-mode';
import { startProgram } from '../../functions/test/support/programs';
import { temporaryDirectory } from '../../functions/test/support/temporary-directory';
import { readKept } from '../study/run/journal.ts';
import { CALL_NANO_USD, RIGHT, settingsOf, startTaskedModels, TASKS } from './tasked-models.ts';

/**
 * The command itself, on the whole product with a provider whose models' accuracies are known: refused without a word from its
 * user, stopped at its cap, killed in the middle, and brought to its end.
 */

const STUDY = [
  ...['--panel', 'strong,weak', '--arbiter', 'strong', '--tasks', String(TASKS.count), '--seed', String(TASKS.seed)],
  ...['--kinds', TASKS.kinds.join(','), '--repeats', '1', '--strategies', 'competitive_refinement,auto'],
];
const AT_ONCE = 4;
/** Two drafts and an answer; of `auto` the arbiter drafts first, and that draft is one of them. */
const CALLS_OF_A_RUN = 3;

const tasks = Array.from({ length: TASKS.count }, (_, index) => index);
const shareOf = (isRight: (index: number) => boolean) => tasks.filter(isRight).length / TASKS.count;

it('plays a study to its end through refusals, its cap and a kill, within what was agreed, and finds what is true', async () => {
  const directory = await temporaryDirectory();
  let killAt = Number.POSITIVE_INFINITY;
  let kill = (): unknown => undefined;
  const models = await startTaskedModels((count) => count >= killAt && kill());
  const out = join(directory.path, 'study');
  const command = (...more: string[]) =>
    startProgram(['../quality/study/command/main.ts', ...STUDY, '--out', 'study', ...more], {
      ...process.env,
      ...settingsOf(models),
      // Where the dashboard of this machine would find it.
      ...{ INIT_CWD: directory.path, DATA_DIR: join(directory.path, 'data') },
      STUDY_FILE: join(directory.path, 'shown', 'study.json'),
    });
  try {
    const unasked = command('--max-usd', '0.02');
    expect(await unasked.ended).toEqual({ code: 2, signal: null });
    expect(unasked.output()).toMatch(/^72 runs, and as many samples .*\nTheir plans come to \$0\.\d+ .* and to \$\d/m);
    expect(unasked.output()).toContain('That will not do even for short replies: ');
    expect(unasked.output()).toContain('Nothing was called: there is no terminal to ask at');
    expect(models.calls()).toBe(0);

    // The dearest plan is below 20 cents, so that something fits and not all does.
    const capNanoUsd = 250_000_000;
    const capped = command('--max-usd', '0.25', '--yes');
    expect(await capped.ended).toEqual({ code: 0, signal: null });
    expect(capped.output()).toContain('The study is not complete: the next run could pass --max-usd.');
    expect(capped.output()).not.toContain('That will not do');
    expect(models.calls()).toBeGreaterThan(0);
    expect(models.calls() * CALL_NANO_USD).toBeLessThanOrEqual(capNanoUsd);
    expect(readKept(out).spentNanoUsd).toBe(models.calls() * CALL_NANO_USD);

    const killed = command('--max-usd', '5', '--yes');
    kill = () => killed.child.kill('SIGKILL');
    killAt = models.calls() + 60;
    expect((await killed.ended).signal).toBe('SIGKILL');
    const before = readKept(out).runs.size;
    expect(before).toBeGreaterThan(0);
    killAt = Number.POSITIVE_INFINITY;

    const last = command('--max-usd', '5', '--yes');
    expect(await last.ended).toEqual({ code: 0, signal: null });
    expect(last.output()).toContain(`${72 - singlesAndStrategies(out, before)} runs, and as many samples`);
    // What was finished is not played again: only runs that were under way at the kill may have been paid for twice.
    const lines = readFileSync(join(out, 'table.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows = Object.fromEntries(lines.map((row) => [row.arm, row]));
    const usefulCalls = [...readKept(out).runs.values()].reduce((sum, { calls }) => sum + calls, 0);
    expect(models.calls() - usefulCalls).toBeLessThanOrEqual(AT_ONCE * CALLS_OF_A_RUN);

    // The arbiter takes over what one of the two has worked out.
    const [strong = () => false, weak = () => false] = [RIGHT['strong'], RIGHT['weak']];
    const either = shareOf((index) => strong(index) || weak(index));
    expect(rows['single strong'].correct.mean).toBeCloseTo(shareOf(strong), 10);
    expect(rows['single weak'].correct.mean).toBeCloseTo(shareOf(weak), 10);
    for (const arm of ['competitive_refinement', 'auto']) {
      expect(rows[arm].correct.mean).toBeCloseTo(either, 10);
      expect(rows[arm].overBestSingle.mean).toBeCloseTo(either - shareOf(strong), 10);
      // All samples of a model say the same.
      expect(rows[arm].overEqualSpend.mean).toBeCloseTo(either - shareOf(strong), 10);
      expect(rows[arm].callsPerAnswer).toBe(CALLS_OF_A_RUN);
      expect(rows[arm].usdPerCorrect).toBeCloseTo((CALLS_OF_A_RUN * CALL_NANO_USD) / 1e9 / either, 10);
      expect(rows[arm].form).toBe(1);
    }
    expect(rows['best single, voted on'].callsPerAnswer).toBe(CALLS_OF_A_RUN);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    // What the dashboard shows is the same table.
    const shown = lastStudySchema.parse(JSON.parse(readFileSync(join(directory.path, 'shown', 'study.json'), 'utf8')));
    expect(shown.arms.map(({ arm }) => arm)).toEqual(lines.map(({ arm }) => arm));
    expect(shown.arms.find(({ arm }) => arm === 'auto')?.correct?.mean).toBeCloseTo(either, 10);
    expect(shown.advice?.settings).toMatchObject({ model: 'strong' });
    expect(last.output()).toContain(readFileSync(join(out, 'report.md'), 'utf8').trim());
  } finally {
    await models.close();
    await directory.remove();
  }
}, 300_000);

if (isLongMode) {
  it('plays a study with a small real model, whose calls have no price', async () => {
    const directory = await temporaryDirectory();
    const args = ['--study', '--tasks', '3', '--out', directory.path];
    const study = startProgram(['../scripts/run.mjs', 'small-model', ...args], process.env);
    try {
      expect([await study.ended, study.output()]).toEqual([{ code: 0, signal: null }, expect.any(String)]);
      const runs = [...readKept(directory.path).runs.values()];
      const of = (name: string) => runs.filter(({ arm }) => arm === name);
      expect(['single small-a', 'single small-b', 'competitive_refinement'].map((arm) => of(arm).length)).toEqual([
        3, 3, 3,
      ]);
      // As many samples as a run made calls.
      expect(runs.filter(({ sample }) => sample > 0)).toHaveLength(3 * CALLS_OF_A_RUN);
      expect(runs.every(({ fault, answer, isPriced }) => fault === undefined && answer !== '' && !isPriced)).toBe(true);
      expect(study.output()).toContain('Without a known price, counted as $0.00: small-a, small-b.');
      expect(study.output()).toContain('Not all models have a price: equal spend is taken to be as many calls.');
    } finally {
      await study.end('SIGTERM');
      await directory.remove();
    }
  }, 900_000);
}

/** How many of the runs that a folder held are counted by the price. */
function singlesAndStrategies(out: string, count: number): number {
  return [...readKept(out).runs.values()].slice(0, count).filter(({ sample }) => sample === 0).length;
}
