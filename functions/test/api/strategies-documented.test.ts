import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { type App, CHAT_PATH, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { askedOf, type Played, playRun, requestId } from '../support/played-run';
import { demoScript, type Script } from '../support/scripted-models';
import type { WireCompletion } from '../support/wire';

/** Every count and every example of docs/strategies.md, against what the service does. */

const PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'strategies.md'), 'utf8');

/** A strategy's section of the page. */
function sectionOf(strategy: StrategyName): string {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`\`${strategy}\``));
  if (section === undefined) throw new Error(`no section on ${strategy}`);
  return section;
}

/** Models that go on for as long as they are asked; each text of theirs is marked, so that readers can be counted. */
let texts = 0;
const tireless: Script = ({ providerModel, purpose }) => {
  if (purpose === 'plan') return { text: JSON.stringify({ items: ['one', 'two', 'three', 'four'] }) };
  if (purpose === 'analyse') return { text: '{"winner": null, "rationale": "They differ."}' };
  if (purpose === 'review' || purpose === 'attack') return { text: 'It does not say why.' };
  if (purpose === 'cast') return { text: '{"lenses": [{"name": "Cook", "focus": "Taste."}]}' };
  texts += 1;
  return { text: `CHECK: step 1: no proof\nMARKED text of mine, number ${texts}.\nANSWER: ${providerModel}` };
};

const SECOND_MS = 1_000;

interface Measured {
  readonly calls: number;
  readonly waves: number;
  /** How many texts of participants all prompts hold together. */
  readonly reads: number;
  readonly played: Played;
}

interface Size {
  readonly n: number;
  readonly rounds: number;
  readonly explain: boolean;
}

/** Plays with models that take a second each: the run takes as many seconds as it has waves. */
async function measure(strategy: StrategyName, { n, rounds, explain }: Size): Promise<Measured> {
  const clock = fakeClock();
  const startedMs = clock.nowMs();
  const models = Array.from({ length: n }, (_, index) => `model-${index}`);
  const script: Script = (call) => ({ ...tireless(call), delayMs: SECOND_MS });
  let endedMs = 0;
  const running = playRun({ id: requestId(0), strategy, models, rounds, script, explain, clock }).then((played) => {
    endedMs = clock.nowMs();
    return played;
  });
  await clock.advance(100 * SECOND_MS);
  const played = await running;
  expect(played.degraded).toEqual([]);
  const reads = played.calls.reduce((sum, call) => sum + marks(call), 0);
  return { calls: played.calls.length, waves: (endedMs - startedMs) / SECOND_MS, reads, played };
}

function marks(call: ProviderCall): number {
  return askedOf(call).split('MARKED').length - 1;
}

const SIZES = [
  { n: 3, rounds: 1 },
  { n: 3, rounds: 3 },
  { n: 5, rounds: 10 },
] as const;

/** A row of the page's table of sizes: `calls · waves · texts read` for each size. */
function rowOf(strategy: StrategyName): number[][] {
  const row = new RegExp(`^\\| \`${strategy}\` \\|((?: \\d+ · \\d+ · \\d+ \\|){3})$`, 'm').exec(PAGE)?.[1] ?? '';
  return row
    .split('|')
    .filter((cell) => cell.trim() !== '')
    .map((cell) => cell.split('·').map(Number));
}

describe('docs/strategies.md', () => {
  it.each(STRATEGY_NAMES)('%s: calls, waves and texts read are those of the table', async (strategy) => {
    const measured = await Promise.all(SIZES.map((size) => measure(strategy, { ...size, explain: false })));
    expect(measured.map(({ calls, waves, reads }) => [calls, waves, reads])).toEqual(rowOf(strategy));
  });

  it.each(STRATEGY_NAMES)('%s: an explanation costs what the page says', async (strategy) => {
    for (const size of SIZES) {
      const plain = await measure(strategy, { ...size, explain: false });
      const explained = await measure(strategy, { ...size, explain: true });
      const more = strategy === 'debate_tournament' ? 0 : 1;
      expect([explained.calls - plain.calls, explained.waves - plain.waves]).toEqual([more, more]);
      const answerReads = marks(plain.played.calls.at(-1) ?? raise());
      expect(explained.reads - plain.reads).toBe(more * answerReads);
    }
  });

  it('our own words in a prompt stay below what the page says, also for sixteen', async () => {
    const stated = Number(/at most ([\d,]+) characters of ours/.exec(PAGE)?.[1]?.replace(',', ''));
    let longest = 0;
    for (const strategy of STRATEGY_NAMES) {
      const { played } = await measure(strategy, { n: 16, rounds: 2, explain: true });
      const ours = played.calls.map((call) =>
        askedOf(call).replace(/^<<([0-9a-f]+) (?!end ).*\n[\s\S]*?\n<<\1 end .*$/gm, ''),
      );
      longest = Math.max(longest, ...ours.map(({ length }) => length));
    }
    expect(longest).toBeLessThanOrEqual(stated);
    expect(longest).toBeGreaterThan(stated / 2);
  });

  describe('its examples', () => {
    let app: App;
    beforeAll(async () => {
      app = await startApp();
    });
    beforeEach(() => app.models.reset());
    afterAll(() => app.close());

    function exampleOf(strategy: StrategyName): { body: string; calls: number } {
      const [, body = '', calls] = /^```json\n([\s\S]*?)^```\n\nAt most (\d+) calls/m.exec(sectionOf(strategy)) ?? [];
      return { body, calls: Number(calls) };
    }

    it.each(STRATEGY_NAMES)('%s: runs as written, in at most the calls stated', async (strategy) => {
      const { body, calls } = exampleOf(strategy);
      for (const script of [tireless, demoScript]) {
        app.models.reset();
        app.models.play(script);
        const reply = await app.complete<WireCompletion>(body);
        expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining('"degraded"')]);
        expect(script === tireless ? reply.calls.length - calls : Math.max(0, reply.calls.length - calls)).toBe(0);
      }
      expect(JSON.parse(body)).toMatchObject({ ai_ensemble: { strategy } });
    });

    it('the curl line sends a request that is answered, by name of a virtual model', async () => {
      app.models.play(demoScript);
      const [, body = ''] = /-d '(\{.*\})'/.exec(PAGE) ?? [];
      expect(PAGE).toContain(`curl http://127.0.0.1:8080${CHAT_PATH}`);
      expect((await app.complete(body)).status).toBe(200);
    });
  });
});

function raise(): never {
  throw new Error('no call was made');
}
