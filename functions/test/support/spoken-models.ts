import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import type { CallPurpose, ProviderCall } from '../../src/models/model';
import { askedOf, shownTo } from './played-run';
import type { Script, ScriptedReply } from './scripted-models';
import type { WireStream } from './wire';

const NUMBERS: Readonly<Record<string, string>> = { alpha: 'One', beta: 'Two', gamma: 'Three', delta: 'Four' };
/** The arbiter's name for a text that begins with that number: `answer B`, `part 2`. */
function mentionOf(call: ProviderCall, number: string): string {
  const title = shownTo(call).find(({ text }) => text.startsWith(`${number} says`))?.title ?? 'none';
  return title.startsWith('part') ? title : `answer ${title.split(',')[0]}`;
}

/** Fills every list it is asked for: it prefers the second text and names the third. */
function analysis(call: ProviderCall): ScriptedReply {
  const shape = askedOf(call).split('nothing else').at(-1) ?? '';
  const keys = [...shape.matchAll(/[{,] ?"(\w+)": /g)].map(([, key = '']) => key);
  const lists = keys.filter((key) => !['winner', 'order', 'rationale', 'point', 'why', 'ruling', 'mark'].includes(key));
  const filled = Object.fromEntries(lists.map((key) => [key, [`${key} of ${mentionOf(call, 'Three')}`]]));
  const winner = keys.includes('winner') ? { winner: mentionOf(call, 'Two').replace('answer ', '') } : {};
  return { text: JSON.stringify({ ...winner, ...filled, rationale: `I prefer ${mentionOf(call, 'Two')}.` }) };
}

function json(value: object): ScriptedReply {
  return { text: JSON.stringify(value) };
}

function said(call: ProviderCall, words: string): ScriptedReply {
  const ending = askedOf(call).includes('"CHECK: ') ? '\nCHECK: step 1: no proof' : '';
  return { text: `${NUMBERS[call.providerModel]} says ${words}.${ending}\nANSWER: fruit` };
}

const PARTS: Readonly<Partial<Record<CallPurpose, (call: ProviderCall) => ScriptedReply>>> = {
  cast: () => json({ lenses: ['Botanist', 'Cook', 'Lawyer'].map((name) => ({ name, focus: 'It.' })) }),
  plan: () =>
    json({
      items: [
        { title: 'The plant', task: 'What it is.' },
        { title: 'The dish', task: 'Its use.' },
      ],
    }),
  review: () => json({ verdict: 'revise', defects: [{ item: 2, severity: 'minor', defect: 'Name one.' }] }),
  attack: () => json({ findings: [{ severity: 'major', why: 'No source.' }] }),
  analyse: analysis,
  draft: (call) => said(call, 'yes'),
  revise: (call) => said(call, 'yes, still'),
};
/** Well-behaved models `alpha` to `delta` whose texts begin with One to Four; nobody is ever content. Any other is the arbiter. */
export const SPOKEN: Script = (call) => PARTS[call.purpose]?.(call) ?? { text: 'It is a fruit.' };

/** A run as it is asked for. */
export interface Asked {
  readonly strategy: StrategyName;
  readonly models: readonly string[];
  readonly rounds: number;
}

/** A chat request for it with everything that people can see. */
export function everythingOf(asked: Asked): Record<string, unknown> {
  return { model: 'umpire', ai_ensemble: { ...asked, includeReasoning: true, includeCandidates: true } };
}

/** The progress lines of a stream. */
export function statusesOf({ chunks }: WireStream): string[] {
  return chunks.flatMap(({ status }) => status ?? []);
}
