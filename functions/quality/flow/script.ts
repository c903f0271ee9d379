import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import type { CallPurpose, ProviderCall } from '../../src/models/model';
import { shownTo } from '../../test/support/played-run';
import type { Script } from '../../test/support/scripted-models';
import { ARBITERS, type ArbiterName, MEMBERS, type MemberName } from './readers';
import { type Statement, statementIn, textOf } from './statement';
import type { Belief } from './world';

/** Who plays: each member under its model's id, and the arbiter. */
export interface Cast {
  readonly strategy: StrategyName;
  readonly beliefs: ReadonlyMap<string, Belief>;
  readonly member: MemberName;
  readonly arbiter: ArbiterName;
}

/** Fences that hold no member's whole text. */
const ASIDE = /^(?:final answer|check|corrections|last findings|responses|findings|defects|plan|analysis|reading)/;

/** What every model of a run says: members state what they believe, the arbiter goes by what it is shown. */
export function scriptOf(cast: Cast): Script {
  return (call) => ({ text: (SAYINGS[call.purpose] ?? SAYINGS.draft)(cast, call) });
}

/** The texts of members that a call shows, in their order. */
function statementsIn(call: ProviderCall): Statement[] {
  return shownTo(call).flatMap(({ title, text }) => (ASIDE.test(title) ? [] : (statementIn(title, text) ?? [])));
}

type Saying = (cast: Cast, call: ProviderCall) => string;

const SAYINGS: Readonly<Record<CallPurpose, Saying>> = {
  cast: () => JSON.stringify({ lenses: [{ name: 'Counter', focus: 'What it comes to.' }] }),
  plan: (_, { prompt }) => JSON.stringify({ items: itemsFor(prompt.turns.map(({ text }) => text).join()) }),
  draft: ({ strategy, beliefs }, { providerModel }) => whole(strategy, beliefOf(beliefs, providerModel)),
  revise: revision,
  review: () => JSON.stringify({ verdict: 'revise', defects: [{ item: 1, severity: 'major', defect: 'Look again.' }] }),
  attack: () => JSON.stringify({ findings: [{ severity: 'major', why: 'Look again.' }] }),
  analyse: verdict,
  answer: ({ arbiter }, call) => {
    const statements = statementsIn(call);
    const chosen = statements[ARBITERS[arbiter](statements)];
    return chosen ? textOf(chosen) : 'Nothing was said.';
  },
  follow_ups: () => '[]',
  judge: () => '{}',
};

function beliefOf(beliefs: Cast['beliefs'], model: string): Belief {
  const belief = beliefs.get(model);
  if (!belief) throw new Error(`${model} has no belief`);
  return belief;
}

/** A whole text, with the last line that one strategy asks for. */
function whole(strategy: StrategyName, belief: Belief): string {
  const text = textOf(belief);
  return strategy === 'chain_of_thought' ? `1. ${text}\nANSWER: ${belief.value}` : text;
}

/** The status of a member that keeps or changes its mind, by strategy. */
const STATUS: Readonly<Record<StrategyName, Readonly<Record<'kept' | 'changed', string>> | undefined>> = {
  competitive_refinement: { kept: 'REVISION: kept', changed: 'REVISION: changed (the value)' },
  collaborative_synthesis: { kept: 'REVISION: kept', changed: 'REVISION: changed (the value)' },
  expert_panel: { kept: 'REVISION: kept; DISSENT: new', changed: 'REVISION: changed (the value); DISSENT: new' },
  debate_tournament: { kept: 'REVISION: kept; STANCE: holds', changed: 'REVISION: changed (the value); STANCE: holds' },
  chain_of_thought: {
    kept: 'CHECK: step 1: look again\nREVISION: kept',
    changed: 'CHECK: step 1: look again\nREVISION: changed (the value)',
  },
  hierarchical: undefined,
  red_team_blue_team: undefined,
};

/** Reads its own text and those of others, and goes by one of them. Where it is shown none, it stays with its own. */
function revision({ strategy, beliefs, member }: Cast, call: ProviderCall): string {
  const shown = statementsIn(call);
  const own = shown.find(({ title }) => title === 'yours') ?? {
    ...beliefOf(beliefs, call.providerModel),
    title: 'yours',
  };
  const all = [own, ...shown.filter(({ title }) => title !== 'yours')];
  const chosen = all[MEMBERS[member](all)] ?? own;
  const lines = STATUS[strategy];
  if (!lines) return whole(strategy, chosen);
  // As models do, who keeps its text says so in words of its own as well.
  if (chosen.value === own.value)
    return own.confidence % 2 === 0 ? `${lines.kept}\nNothing needs changing.` : lines.kept;
  return `${lines.changed}\n\n${whole(strategy, chosen)}`;
}

/** The side, or the text, that the arbiter goes by. */
function verdict({ arbiter }: Cast, call: ProviderCall): string {
  const statements = statementsIn(call);
  const winner = statements[ARBITERS[arbiter](statements)]?.title ?? null;
  return JSON.stringify({ winner, order: [], rationale: 'As it goes by.' });
}

/** As many items as a plan may have, each of them the whole task. */
function itemsFor(prompt: string): object[] {
  const most = Number(/at most (\d+) items/.exec(prompt)?.[1] ?? 1);
  return Array.from({ length: most }, (_, index) => ({ title: `Part ${index + 1}`, task: 'Say what it comes to.' }));
}
