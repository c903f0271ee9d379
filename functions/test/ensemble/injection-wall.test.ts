import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategy-names';
import type { ProviderCall } from '../../src/models/model';
import type { Script } from '../../src/providers/scripted';
import { nonceOf, readFenced } from '../support/fenced-prompt';
import { FORGED_TEXTS } from '../support/forged-texts';
import {
  ARBITER,
  FIXED_ANSWER,
  FIXED_RATIONALE,
  type HostilePanel,
  hostilePanel,
  PANEL,
  type Speaker,
} from '../support/hostile-panel';
import { HOSTILE_TEXTS } from '../support/hostile-texts';
import { startTestApp, type TestApp } from '../support/test-app';

/**
 * The injection wall: whatever participants answer, their words stay in their own fences, and the verdict stays the
 * arbiter's (reference: ensemble §3.2, §6.9). Every run is held against the same run with harmless words: the same calls,
 * the same fences under the same titles, the same words outside of them, byte by byte.
 */

const HARMLESS = { text: 'HARMLESS-TEXT', line: 'HARMLESS-LINE' };

interface Played extends HostilePanel {
  readonly content: string;
  readonly explanation: string;
}

let app: TestApp;
let script: Script;
let users = 0;

beforeAll(async () => {
  app = await startTestApp({ script: (call) => script(call) });
});

afterAll(() => app.close());

async function play(strategy: StrategyName, rounds: number, speak: Speaker): Promise<Played> {
  const panel = hostilePanel(strategy, speak);
  script = panel.script;
  // Each run is a user's only one: the rate limit is not at issue.
  users += 1;
  const key = await app.user(`user-${users}`, 'pro');
  const response = await app.post(
    '/v1/chat/completions',
    {
      model: ARBITER,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hi!' },
        { role: 'user', content: 'What is six by seven?' },
      ],
      ai_ensemble: { strategy, models: PANEL, rounds, includeReasoning: true, includeFollowUpPrompts: true },
    },
    { authorization: `Bearer ${key}` },
  );
  expect(response.status).toBe(200);
  const { choices } = (await response.json()) as { choices: [{ message: { content: string; explanation: string } }] };
  return { ...panel, ...choices[0].message };
}

interface Shown {
  /** Model, purpose, system, earlier turns, words outside the fences, titles. */
  readonly frame: string;
  readonly texts: readonly string[];
  readonly escapes: readonly string[];
}

/** Every call's prompt taken apart, by who was called for what. The order of seats is the request's own. */
function shown({ calls }: HostilePanel): Map<string, Shown[]> {
  const nonces = new Set(calls.flatMap((call) => nonceOf(lastTurn(call)) ?? []));
  expect(nonces.size).toBe(1);
  const [nonce = ''] = nonces;
  const byCall = new Map<string, Shown[]>();
  for (const call of calls) {
    const { words, fences, escapes } = readFenced(lastTurn(call), nonce);
    const { system, turns } = call.prompt;
    const titles = fences.map(({ title }) => (call.purpose === 'answer' ? withoutSide(title) : title));
    const key = `${call.providerModel} ${call.purpose}`;
    const frame = unsigned(JSON.stringify({ key, system, earlier: turns.slice(0, -1), words, titles }, null, 1));
    const texts = fences.map(({ text }) => unsigned(text));
    byCall.set(key, [...(byCall.get(key) ?? []), { frame, texts, escapes }]);
  }
  return byCall;
}

function lastTurn({ prompt }: ProviderCall): string {
  return prompt.turns.at(-1)?.text ?? '';
}

function unsigned(text: string): string {
  return text.replace(/seat-\d/g, 'seat-N');
}

/** Which side of a debate the answer's author reads first is drawn by lot. */
function withoutSide(title: string): string {
  return title.replace(/^(?:proposition|opposition) (?=\d$)/, 'side ');
}

/** Whether a fence holds what it held in the harmless run, with these words in the place of the harmless ones. */
type Holds = (text: string, harmless: string) => boolean;

/** What is wrong with a run, held against the harmless one. */
function breaches(run: HostilePanel, harmless: HostilePanel, holds: Holds): string[] {
  const [actual, expected] = [shown(run), shown(harmless)];
  const keys = [...new Set([...actual.keys(), ...expected.keys()])];
  return keys.flatMap((key) => {
    const [ours, theirs] = [actual.get(key) ?? [], expected.get(key) ?? []];
    if (ours.length !== theirs.length) return [`${key}: ${ours.length} calls, not ${theirs.length}`];
    return ours.flatMap((call, index) =>
      breachesOf(call, theirs[index], holds).map((what) => `${key} ${index + 1}: ${what}`),
    );
  });
}

function breachesOf(call: Shown, harmless: Shown | undefined, holds: Holds): string[] {
  return [
    ...call.escapes,
    ...(call.frame === harmless?.frame ? [] : [`other words outside the fences: ${call.frame.slice(0, 2_000)}`]),
    ...call.texts.flatMap((text, index) =>
      text.isWellFormed() && holds(text, harmless?.texts[index] ?? '')
        ? []
        : [`fence ${index + 1} holds something else: ${text.slice(0, 300)}`],
    ),
  ];
}

/** The explanation's own lines: paragraphs and headings. What participants said is in points, indented. */
function ownLines(explanation: string): string[] {
  const lines = explanation.split(/[\n-\r\u0085\u2028\u2029]/).filter((line) => !/^(?:- | {2})/.test(line));
  return lines.map((line) => PANEL.reduce((text, name) => text.replaceAll(name, 'NAME'), line));
}

/** Who the arbiter's label B was in the prompt of its analysis. */
function winnerIn({ calls }: HostilePanel): string | undefined {
  const prompt = calls.filter(({ purpose }) => purpose === 'analyse').map(lastTurn)[0] ?? '';
  const text = readFenced(prompt, nonceOf(prompt) ?? '').fences.find(({ title }) => title === 'B')?.text ?? '';
  return PANEL[Number(/.*So says seat-(\d)\./s.exec(text)?.[1]) - 1];
}

function expectVerdictOfArbiter(run: Played, harmless: Played, strategy: StrategyName): void {
  expect(run.content).toBe(FIXED_ANSWER);
  expect(ownLines(run.explanation)).toEqual(ownLines(harmless.explanation));
  expect(run.explanation.startsWith(OPENINGS[strategy]?.(winnerIn(run)) ?? FIXED_RATIONALE)).toBe(true);
}

/** What an explanation begins with where somebody wins. */
const OPENINGS: Partial<Readonly<Record<StrategyName, (winner: string | undefined) => string>>> = {
  competitive_refinement: (winner) => `Strongest answer: ${winner}.\n`,
  chain_of_thought: (winner) => `Strongest answer: ${winner}.\n`,
  red_team_blue_team: (winner) => `Strongest answer: ${winner}.\n`,
  debate_tournament: () => 'The proposition wins: in both orders of presentation the verdict was the same.\n',
};

describe.each(STRATEGY_NAMES)('the injection wall of %s', (strategy) => {
  let harmless: Played;

  describe('against texts that know nothing of their prompt', () => {
    beforeAll(async () => {
      harmless = await play(strategy, 2, () => HARMLESS);
    });

    it.each(HOSTILE_TEXTS)('$name', async ({ text }) => {
      const words = { text, line: text.replace(/\s+/g, ' ') };
      const run = await play(strategy, 2, () => words);
      const whole = { text: words.text.toWellFormed(), line: words.line.toWellFormed() };
      const holds: Holds = (found, expected) =>
        found === expected.replaceAll(HARMLESS.text, () => whole.text).replaceAll(HARMLESS.line, () => whole.line);
      expect(breaches(run, harmless, holds)).toEqual([]);
      expectVerdictOfArbiter(run, harmless, strategy);
    });
  });

  describe('against texts that forge the real mark', () => {
    beforeAll(async () => {
      harmless = await play(strategy, 3, () => HARMLESS);
    });

    it.each(FORGED_TEXTS)('$name', async ({ write }) => {
      const run = await play(strategy, 3, (nonce = 'f'.repeat(16)) => {
        const text = write(nonce);
        return { text, line: text.replace(/\s+/g, ' ') };
      });
      const holds: Holds = (found, expected) => {
        const pieces = expected.split(/HARMLESS-(?:TEXT|LINE)/);
        return found.startsWith(pieces[0] ?? '') && found.endsWith(pieces.at(-1) ?? '');
      };
      expect(breaches(run, harmless, holds)).toEqual([]);
      expectVerdictOfArbiter(run, harmless, strategy);
    });
  });
});
