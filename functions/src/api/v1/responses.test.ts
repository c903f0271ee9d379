import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from '../../ensemble/strategies/strategies';
import { strategyInModel } from './responses';

const ROWS: readonly (readonly [asked: StrategyName, models: readonly string[]])[] = [
  // An id with “ensemble” or “panel” that names a strategy asks for it.
  ...STRATEGY_NAMES.map((name) => [name, [`ensemble-${name.replaceAll('_', '-')}`]] as const),
  ['debate_tournament', ['ensemble_debate_tournament', 'my-debate_tournament-ensemble:v2']],
  ['chain_of_thought', ['owner/chain-of-thought-panel']],
  ['red_team_blue_team', ['red_team_blue_team@panel']],
  // One with “panel” that names none asks for an expert panel, one with “ensemble” for the default.
  ['expert_panel', ['panel', 'expert-panel', 'expert_panel', 'my-panel-of-mice', 'ensemble-panel', 'impaneled']],
  ['competitive_refinement', ['ensemble', 'my-ensemble-model', 'ensembles', 'ensemble-debate', 'ensemble-of-mice']],
  // One with neither word is a single-model run, whatever else is in it.
  ['competitive_refinement', ['gpt-4o', 'debate-tournament', 'hierarchical', 'red_team_blue_team', 'pan-el']],
  ['competitive_refinement', ['Ensemble-Hierarchical', 'PANEL']],
];

it.each(ROWS)('%s is what %j ask for', (asked, models) => {
  for (const model of models) expect([model, strategyInModel(model)]).toEqual([model, STRATEGIES[asked]]);
});
