import { type App, answer, judges, startApp } from '../support/app';
import { allAt, ROLE_KEYS, verdictOf } from '../support/judges';
import type { Script } from '../support/scripted-models';
import { until } from '../support/until';
import { EVALUATION_PAGE, tableOf } from './documented-page';

/** What an evaluation costs by docs/evaluations.md: calls, words and time, against what the service does. */

let app: App;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.models.reset());
afterAll(() => app.close());

/** The first judge and the others are as far apart as can be, at first and for ever. */
const contested: Script = (call) => ({
  text: verdictOf(call, ({ role }) => allAt(call.providerModel === 'judge-0' ? 0 : 10, role)),
});

describe('the calls of docs/evaluations.md', () => {
  const SIZES = [
    { j: 1, n: 4 },
    { j: 3, n: 4 },
    { j: 3, n: 10 },
  ] as const;
  const rows = tableOf('', '1 judge, 4 responses').map(([name = '', ...cells]) => ({ name, cells }));

  it('are counted for each strategy', () => {
    expect(new Set(rows.map(({ name }) => name.split(',')[0]))).toEqual(
      new Set(tableOf('strategy', 'what happens').map(([name]) => name)),
    );
  });

  it.each(rows)('are as many as the page says: $name', async ({ name, cells }) => {
    const counted: string[] = [];
    for (const { j, n } of SIZES) {
      const ids = Array.from({ length: j }, (_, at) => `judge-${at}`);
      const authors = name.includes('wrote one') ? ids : [];
      const fields = {
        strategy: name.split(',')[0],
        judge_models: judges(...ids),
        responses: Array.from({ length: n }, (_, at) => answer(authors[at] ?? `author-${at}`, `Text ${at}.`)),
      };
      if (name.includes('contested')) app.models.play(contested);
      const counts = [];
      for (const evaluation_mode of ['standard', 'pointwise']) {
        counts.push((await app.evaluate({ ...fields, evaluation_mode })).calls.length);
      }
      counted.push(counts.join(' · '));
    }
    expect(counted).toEqual(cells);
  });

  it('our own words in a call stay below what the page says', async () => {
    const [, plainMax, rolesMax] =
      /at most ([\d,]+) characters a call without\nroles, ([\d,]+) with eight/.exec(EVALUATION_PAGE) ?? [];
    const longestOf = async (roles: readonly string[]): Promise<number> => {
      app.models.play(contested);
      const responses = Array.from({ length: 8 }, (_, at) => answer('a', `Text ${at}.`, roles[at]));
      const fields = { strategy: 'competitive_refinement', responses, judge_models: judges('judge-0', 'judge-1') };
      const { calls } = await app.evaluate(fields);
      expect(calls).toHaveLength(4);
      const words = calls.map(({ prompt: { system = '', turns } }) => [system, turns[0]?.text ?? ''].join('\n'));
      return Math.max(...words.map((text) => text.replace(/^\{"prompt":.*$/m, '').length));
    };
    for (const [roles, stated] of [
      [[], plainMax],
      [Object.keys(ROLE_KEYS).slice(0, 8), rolesMax],
    ] as const) {
      const max = Number(stated?.replace(',', ''));
      const longest = await longestOf(roles);
      expect(longest).toBeLessThanOrEqual(max);
      expect(longest).toBeGreaterThan(max / 2);
    }
  });
});

describe('the latency of docs/evaluations.md', () => {
  const CALL_MS = 1_000;
  const PROVIDERS = ['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro'];
  const PROVIDERS_IN_WORDS = ['one provider', 'two providers', 'three providers'];

  it.each(tableOf('judge calls', 'at once'))('%s are begun as the page says: %s', async (size = '', atOnce = '') => {
    const ids = PROVIDERS.slice(0, 1 + PROVIDERS_IN_WORDS.findIndex((words) => size.includes(words)));
    const n = Number.parseInt(size, 10) / ids.length;
    const responses = Array.from({ length: n }, (_, at) => answer('a', `Text ${at}.`));
    let isAnswered = false;
    app.models.play((call) => ({ text: verdictOf(call, () => allAt(7)), delayMs: CALL_MS }));
    const running = app.evaluate({ evaluation_mode: 'pointwise', responses, judge_models: judges(...ids) });
    void running.then(() => {
      isAnswered = true;
    });
    let begun = 0;
    for (const width of atOnce.split(', then ').map(Number)) {
      begun += width;
      await until(() => app.models.calls.length >= begun);
      expect([app.models.calls.length, isAnswered]).toEqual([begun, false]);
      await app.clock.advance(CALL_MS);
    }
    expect((await running).calls).toHaveLength(Number.parseInt(size, 10));
  });
});
