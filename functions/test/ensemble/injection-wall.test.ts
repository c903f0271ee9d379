import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { startApp } from '../support/app';
import { during } from '../support/during';
import { whileTimePasses } from '../support/time-passes';
import { nonceOf, readFenced } from './injection/fenced-prompt';
import { FORGED_TEXTS } from './injection/forged-texts';
import { HOSTILE_TEXTS } from './injection/hostile-texts';
import {
  ARBITER,
  FIXED_ANSWER,
  FIXED_RATIONALE,
  type InjectingModels,
  injectingModels,
  PANEL,
  type TextFor,
} from './injection/injecting-models';

/**
 * The injection wall: whatever participants answer, their words stay in their own fences, and the verdict stays the
 * arbiter's. Of their words only lines of the service's own form are taken out. Every run is held against the same run with harmless words: the same calls,
 * the same fences under the same titles, the same words outside of them, byte by byte.
 */

const HARMLESS = { text: 'HARMLESS-TEXT', line: 'HARMLESS-LINE', value: 'HARMLESS-VALUE' };

const MESSAGE = 'What is six by seven?';
const MESSAGE_AGAIN = `\n\nThe user's message again:\n\n${MESSAGE}`;

interface InjectedRun extends InjectingModels {
  readonly content: string;
  readonly explanation: string;
}

const app = during('all', startApp);

async function run(strategy: StrategyName, rounds: number, textsFor: TextFor): Promise<InjectedRun> {
  const panel = injectingModels(strategy, textsFor);
  app.models.reset();
  app.models.play(panel.script);
  const asked = app.complete({
    model: ARBITER,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hi!' },
      { role: 'user', content: MESSAGE },
    ],
    ai_ensemble: { strategy, models: PANEL, rounds, includeReasoning: true, includeFollowUpPrompts: true },
  });
  // Some of the texts are so long that they are read at a bounded pace.
  const { status, body } = await whileTimePasses(app.clock, asked);
  expect(status).toBe(200);
  const { content, explanation = '' } = body.choices[0].message;
  return { ...panel, content, explanation };
}

interface Shown {
  /** Model, purpose, system, earlier turns, words outside the fences, titles. */
  readonly frame: string;
  readonly texts: readonly string[];
  readonly escapes: readonly string[];
}

/** Every call's prompt taken apart, by who was called for what. The order of seats is the request's own. */
function shown({ calls }: InjectingModels): Map<string, Shown[]> {
  const nonces = new Set(calls.flatMap((call) => nonceOf(lastTurn(call)) ?? []));
  expect(nonces.size).toBe(1);
  const [nonce = ''] = nonces;
  const byCall = new Map<string, Shown[]>();
  for (const call of calls) {
    const { words: all, fences, escapes } = readFenced(lastTurn(call), nonce);
    // Said again behind long texts, to the letter and as the last words.
    const words = all.endsWith(MESSAGE_AGAIN) ? all.slice(0, -MESSAGE_AGAIN.length) : all;
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

/** Removes the side from a title: the one that the answer's author reads first is drawn by lot. */
function withoutSide(title: string): string {
  return title.replace(/^(?:proposition|opposition) (?=\d$)/, 'side ');
}

/** True if a fence holds the text that it held in the harmless run, with these words in the place of the harmless ones. */
type Holds = (text: string, harmless: string) => boolean;

/** Faults of a run, compared with the harmless one. */
function breaches(run: InjectingModels, harmless: InjectingModels, holds: Holds): string[] {
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

/** Participant behind the label B in the prompt of the arbiter's analysis. */
function winnerIn({ calls }: InjectingModels): string | undefined {
  const prompt = calls.filter(({ purpose }) => purpose === 'analyse').map(lastTurn)[0] ?? '';
  const text = readFenced(prompt, nonceOf(prompt) ?? '').fences.find(({ title }) => title === 'B')?.text ?? '';
  return PANEL[Number(/.*So says seat-(\d)\./s.exec(text)?.[1]) - 1];
}

function expectVerdictOfArbiter(run: InjectedRun, harmless: InjectedRun, strategy: StrategyName): void {
  expect(run.content).toBe(FIXED_ANSWER);
  expect(ownLines(run.explanation)).toEqual(ownLines(harmless.explanation));
  expect(run.explanation.startsWith(OPENINGS[strategy]?.(winnerIn(run)) ?? FIXED_RATIONALE)).toBe(true);
}

/** Beginning of an explanation where somebody wins. */
const OPENINGS: Partial<Readonly<Record<StrategyName, (winner: string | undefined) => string>>> = {
  competitive_refinement: (winner) => `Strongest answer: ${winner}.\n`,
  chain_of_thought: (winner) => `Strongest answer: ${winner}.\n`,
  red_team_blue_team: (winner) => `Strongest answer: ${winner}.\n`,
  debate_tournament: () => 'The proposition wins: in both orders of presentation the verdict was the same.\n',
};

describe.each(STRATEGY_NAMES)('the injection wall of %s', (strategy) => {
  let harmless: InjectedRun;

  describe('against texts that know nothing of their prompt', () => {
    beforeAll(async () => {
      harmless = await run(strategy, 2, () => HARMLESS);
    });

    it.each(HOSTILE_TEXTS)('$name', async ({ text, left = text }) => {
      const line = text.replace(/\s+/g, ' ');
      const ran = await run(strategy, 2, () => ({ text, line, value: text }));
      const shown = { text: left.toWellFormed(), line: line.toWellFormed(), value: text.toWellFormed() };
      const holds: Holds = (found, expected) =>
        found ===
        (['text', 'line', 'value'] as const).reduce(
          (words, part) => words.replaceAll(HARMLESS[part], () => shown[part]),
          expected,
        );
      expect(breaches(ran, harmless, holds)).toEqual([]);
      expectVerdictOfArbiter(ran, harmless, strategy);
    });
  });

  describe('against texts that forge the real mark', () => {
    beforeAll(async () => {
      harmless = await run(strategy, 3, () => HARMLESS);
    });

    it.each(FORGED_TEXTS)('$name', async ({ write }) => {
      const ran = await run(strategy, 3, (nonce = 'f'.repeat(16)) => {
        const text = write(nonce);
        return { text, line: text.replace(/\s+/g, ' '), value: text };
      });
      const holds: Holds = (found, expected) => {
        const pieces = expected.split(/HARMLESS-(?:TEXT|LINE|VALUE)/);
        return found.startsWith(pieces[0] ?? '') && found.endsWith(pieces.at(-1) ?? '');
      };
      expect(breaches(ran, harmless, holds)).toEqual([]);
      expectVerdictOfArbiter(ran, harmless, strategy);
    });
  });
});
