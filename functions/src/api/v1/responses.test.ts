import { STRATEGIES, STRATEGY_NAMES } from '../../ensemble/strategies/strategies';
import { strategyInModel } from './responses';

/** The name of the strategy that a model id asks for. */
function askedBy(model: string): string | undefined {
  return STRATEGY_NAMES.find((name) => STRATEGIES[name] === strategyInModel(model));
}

describe('strategyInModel', () => {
  it.each([
    ['ensemble-competitive-refinement', 'competitive_refinement'],
    ['ensemble-collaborative-synthesis', 'collaborative_synthesis'],
    ['ensemble-expert-panel', 'expert_panel'],
    ['ensemble-debate-tournament', 'debate_tournament'],
    ['ensemble-hierarchical', 'hierarchical'],
    ['ensemble-chain-of-thought', 'chain_of_thought'],
    ['ensemble-red-team-blue-team', 'red_team_blue_team'],
    ['ensemble_debate_tournament', 'debate_tournament'],
    ['my-debate_tournament-ensemble:v2', 'debate_tournament'],
    ['owner/chain-of-thought-panel', 'chain_of_thought'],
    ['red_team_blue_team@panel', 'red_team_blue_team'],
  ])('an id with “ensemble” or “panel” that names a strategy asks for it: %s', (model, strategy) => {
    expect(askedBy(model)).toBe(strategy);
  });

  it.each([
    'panel',
    'expert-panel',
    'expert_panel',
    'my-panel-of-mice',
    'ensemble-panel',
    'panel-ensemble',
    'impaneled',
  ])('an id with “panel” that names none asks for expert_panel: %s', (model) =>
    expect(askedBy(model)).toBe('expert_panel'),
  );

  it.each(['ensemble', 'my-ensemble-model', 'ensembles', 'ensemble-debate', 'ensemble-of-mice'])(
    'an id with “ensemble” that names none asks for the default: %s',
    (model) => expect(askedBy(model)).toBe('competitive_refinement'),
  );

  it.each([
    'gpt-4o',
    'debate-tournament',
    'hierarchical',
    'red_team_blue_team',
    'pan-el',
    'Ensemble-Hierarchical',
    'PANEL',
  ])('an id with neither word is a single-model run, whatever else is in it: %s', (model) =>
    expect(askedBy(model)).toBe('competitive_refinement'),
  );
});
