import { numberOf } from '../fake-replies.mjs';
import { ask, atOnce, chat, parseStream } from '../load.mjs';

/** Drafts of 2,000 to 4,000 characters, each at once and in one piece: nothing hides behind what a chunk costs. */
const MODEL = 'fake-prose-0ms';
export const PARTICIPANTS = 16;
export const ROUNDS = 10;
/** Upstream calls of each strategy at 16 × 10, without an explanation; from the call formulas. The default comes first. */
export const CALLS = {
  competitive_refinement: 161,
  collaborative_synthesis: 161,
  expert_panel: 162,
  debate_tournament: 163,
  hierarchical: 152,
  chain_of_thought: 161,
  red_team_blue_team: 169,
};

/** Plays one request; resolves with the number of the model call that wrote the answer. */
export async function played(to, strategy) {
  const models = Array.from({ length: PARTICIPANTS }, () => MODEL);
  const options = { models, strategy, rounds: ROUNDS };
  const { text } = await ask(to, chat(MODEL, { stream: true, ai_ensemble: options }));
  const { done, content } = parseStream(text);
  if (!done || text.includes('"degraded"')) throw new Error(`${strategy}: ${text.slice(-500)}`);
  return numberOf(content);
}

/** Plain calls, as many at once as a wave has. */
export async function passThroughs(to, count) {
  await atOnce(count, PARTICIPANTS, () => ask(to, chat(MODEL, { stream: true })));
}
