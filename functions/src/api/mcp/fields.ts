import * as z from 'zod';
import { STRATEGY_NAMES, type StrategyName } from '../../ensemble/strategies/strategies';

/** Purpose of each strategy, in words for models that choose one. */
const STRATEGY_WORDS: Readonly<Record<StrategyName, string>> = {
  competitive_refinement: 'one best answer; drafts are ranked and refined',
  collaborative_synthesis: 'completeness; what each model knows is put together',
  expert_panel: 'a decision with sides: legal, technical, human',
  debate_tournament: 'a disputed matter; the case for and against is judged',
  hierarchical: 'large work that falls into parts',
  chain_of_thought: 'an answer that can be derived and checked',
  red_team_blue_team: 'a wrong answer is costly; drafts are attacked and repaired',
};
const ROWS = STRATEGY_NAMES.map((name) => `${name}: ${STRATEGY_WORDS[name]}`);
const STRATEGIES = `How the models work together. ${ROWS.join('. ')}. Default: ${STRATEGY_NAMES[0]}.`;

const RESPONSES_MAX = 10;
const NOT_BLANK = 'must not be blank';
const words = (description: string) => z.string().regex(/\S/, NOT_BLANK).describe(description);

const askForm = (strategies: string) =>
  z.object({
    question: words('The whole question, understandable by itself, with the form the answer should have.'),
    context: z.string().optional().describe('Material it is about: code, a text, facts.'),
    strategy: z.enum(STRATEGY_NAMES).optional().describe(strategies),
    maxCostUsd: z.number().positive().optional().describe('What the call may cost at most, in US dollars.'),
  });
/** Arguments of `ask`. */
export const askFields = askForm(STRATEGIES);
export type AskFields = z.infer<typeof askFields>;

/** The same of `plan`, without the words that the other tool has already. */
export const planFields = askForm('As in `ask`.');

/** Arguments of `evaluate`. */
export const evaluateFields = z.object({
  prompt: words('The question or task that the responses answer.'),
  responses: z.array(words('A text, without its author.')).min(1).max(RESPONSES_MAX),
});
export type EvaluateFields = z.infer<typeof evaluateFields>;
