import type { StrategyName } from '../../../src/ensemble/strategies/strategies';
import type { CallPurpose, ProviderCall } from '../../../src/models/model';
import type { Script } from '../../support/scripted-models';
import { nonceOf } from './fenced-prompt';

/** Four participants and the arbiter; nothing in their names is a word of a prompt. */
export const PANEL = ['alpha-1', 'bravo-2', 'charlie-3', 'delta-4'];
export const ARBITER = 'umpire-9';

/** Answer of the arbiter in every run, whatever it is shown. */
export const FIXED_ANSWER = 'THE ANSWER OF THE ARBITER';
export const FIXED_RATIONALE = 'Decided by evidence alone.';
const RANKED: readonly StrategyName[] = ['competitive_refinement', 'chain_of_thought', 'red_team_blue_team'];

/** Texts of every participant: as a text, as part of one line, and as a value in JSON. */
export interface InjectedTexts {
  readonly text: string;
  readonly line: string;
  readonly value: string;
}

/** Says what is to be said once the mark of the fences is known, or not yet. */
export type TextFor = (nonce: string | undefined) => InjectedTexts;

/** One run's scripted models and what they were shown. */
export interface InjectingModels {
  readonly script: Script;
  readonly calls: readonly ProviderCall[];
}

/**
 * Participants that put these texts into all they write, each signed with its seat, and otherwise do
 * as asked: plans, reviews and findings are well-formed, revisions change something, nobody concedes.
 */
export function injectingModels(strategy: StrategyName, textsFor: TextFor): InjectingModels {
  const calls: ProviderCall[] = [];
  let nonce: string | undefined;
  const script: Script = (call) => {
    nonce ??= nonceOf(call.prompt.turns.at(-1)?.text ?? '');
    calls.push(call);
    const verdicts = calls.filter(({ purpose }) => purpose === 'analyse').length;
    return {
      text: SAYS[call.purpose]({
        strategy,
        verdicts,
        version: calls.filter(({ providerModel }) => providerModel === call.providerModel).length,
        ...signed(textsFor(nonce), call.providerModel),
      }),
    };
  };
  return { script, calls };
}

interface Part extends InjectedTexts {
  readonly strategy: StrategyName;
  /** Number of verdicts so far. */
  readonly verdicts: number;
  /** Another one with every call of the same model. */
  readonly version: number;
}

function signed({ text, line, value }: InjectedTexts, model: string): InjectedTexts {
  const seat = `seat-${PANEL.indexOf(model) + 1}`;
  const whole = (words: string) => `My answer:\n${words}\n\nSo says ${seat}.\nThat is all.`;
  return { text: whole(text), line: `it is ${line}, says ${seat}`, value: whole(value) };
}

const SAYS: Readonly<Record<CallPurpose, (part: Part) => string>> = {
  cast: () =>
    JSON.stringify({ lenses: PANEL.map((_, index) => ({ name: `View of seat-${index + 1}`, focus: 'Facts.' })) }),
  plan: ({ value }) =>
    JSON.stringify({
      items: [
        { title: 'First part', task: value },
        { title: 'Second part', task: value },
      ],
      checks: [value],
    }),
  advise: ({ text }) => text,
  draft: ({ strategy, text, line }) => (strategy === 'chain_of_thought' ? `${text}\nANSWER: ${line}` : text),
  revise: (part) => `${STATUS[part.strategy](part)}\n\n${part.text} This is version ${part.version}.${ending(part)}`,
  review: ({ value }) =>
    JSON.stringify({
      verdict: 'revise',
      defects: [
        { item: 1, severity: 'major', defect: value },
        { item: 'all', severity: 'minor', defect: value },
      ],
    }),
  attack: ({ value }) => JSON.stringify({ findings: [{ quote: value, severity: 'major', why: value, fix: value }] }),
  analyse: ({ strategy, verdicts }) => JSON.stringify({ ...winner(strategy, verdicts), rationale: FIXED_RATIONALE }),
  answer: () => FIXED_ANSWER,
  follow_ups: () => '["One?", "Two?", "Three?"]',
  judge: () => '{}',
};

const STATUS: Readonly<Record<StrategyName, (part: Part) => string>> = {
  competitive_refinement: () => 'REVISION: changed',
  collaborative_synthesis: () => 'REVISION: changed',
  expert_panel: () => 'REVISION: changed; DISSENT: new',
  debate_tournament: () => 'REVISION: changed; STANCE: holds',
  hierarchical: () => 'REVISION: changed',
  chain_of_thought: ({ line }) => `CHECK: step 1: ${line}\nREVISION: changed`,
  red_team_blue_team: ({ line }) => `FINDING 1: rebutted (${line})`,
};

function ending({ strategy, line }: Part): string {
  return strategy === 'chain_of_thought' ? `\nANSWER: ${line}` : '';
}

/** B where candidates are ranked. In a debate the side shown first is A: first the proposition, then the opposition. */
function winner(strategy: StrategyName, verdicts: number): { readonly winner?: string } {
  if (strategy === 'debate_tournament') return { winner: verdicts === 1 ? 'A' : 'B' };
  return RANKED.includes(strategy) ? { winner: 'B' } : {};
}
