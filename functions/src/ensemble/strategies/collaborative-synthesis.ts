import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { parseRevision } from '../ballot';
import { conversationOf } from '../conversation';
import {
  activePlayers,
  anonymous,
  draftAll,
  draftQuestion,
  longestFirst,
  namesOf,
  type Player,
  replaceText,
  settleReplies,
} from '../players';
import {
  CONTRIBUTION_ANALYSIS,
  CONTRIBUTION_ANSWER_TASK,
  integrationPrompt,
  pooledContributions,
} from '../prompts/collaborative-synthesis';
import { type Question, question } from '../question';
import { playRounds, timed } from '../rounds';
import type { Run } from '../run';
import { fitsWindow } from '../sheet';
import type { Strategy } from './strategy';

/**
 * Collaborative synthesis: a mixture of agents. Every participant contributes on its own; in each further round it
 * sees all contributions, its own among them and nobody's by name, and writes one answer that unites them. The
 * arbiter unites the last ones and keeps every fact that nothing contradicts. Ends early when nobody had to add.
 *
 * Calls: n·r + 1 + v; serial waves: r + 1 + v. Source: Mixture-of-Agents 2406.04692, sparse graph 2406.11776.
 */
export const collaborativeSynthesis: Strategy = {
  waves: ({ rounds }) => rounds,
  judges: false,
  firstWave: (request, id) => request.panel.participants.map((seat) => draftQuestion(request, id, seat)),
  play: async (run) => {
    const drafted = await timed(run, () => draftAll(run, collaborativeSynthesis.firstWave(run.request, run.id)));
    const players = drafted.value;
    await playRounds(
      run,
      { from: 2, title: 'uniting the contributions', lastMs: drafted.lastMs, players },
      async (round) => ((await integrate(run, players, round)) ? 'Nothing was left to add' : undefined),
    );
    const contributions = anonymous(run, players, { reader: 'arbiter', step: 'final' });
    await conclude(run, {
      offers: players,
      material: pooledContributions(contributions),
      names: namesOf(contributions),
      form: CONTRIBUTION_ANALYSIS,
      answerTask: CONTRIBUTION_ANSWER_TASK,
      known: [],
      authors: longestFirst(players),
    });
  },
};

/** One round; true when everybody found the contributions complete. */
async function integrate(run: Run, players: readonly Player[], round: number): Promise<boolean> {
  const pool = players.map(({ seat, text }) => ({ seat, text }));
  const asked = activePlayers(players).map((player) => integrationQuestion(run, { player, pool, round }));
  const answered = settleReplies(await askAll(run, asked));
  const kept = answered.map(({ question: { player }, text }) => {
    const revision = parseRevision(text);
    replaceText(player, revision.text);
    return revision.kept;
  });
  return kept.length === asked.length && kept.every(Boolean);
}

interface Integration {
  readonly player: Player;
  readonly pool: readonly Pick<Player, 'seat' | 'text'>[];
  readonly round: number;
}

/** A reader whose window cannot hold everything reads this many contributions, others in every round. */
const SPARSE = 6;

function integrationQuestion(run: Run, { player, pool, round }: Integration): Question & { readonly player: Player } {
  const { seat } = player;
  const write = (shown: Integration['pool']) =>
    integrationPrompt(conversationOf(run), anonymous(run, shown, { reader: seat.id, step: `r${round}` }));
  const whole = write(pool);
  const fits = pool.length <= SPARSE || fitsWindow(whole, seat.model.contextTokens);
  const sheet = fits ? whole : write(neighbours(pool, { of: seat.id, round }));
  return question({ callId: `r${round}.${seat.id}`, seat, purpose: 'revise' as const, round, player }, sheet);
}

/** The reader's own contribution and those of its next neighbours in a ring that turns with the rounds. */
function neighbours(pool: Integration['pool'], { of, round }: { of: string; round: number }): Integration['pool'] {
  const own = pool.findIndex(({ seat }) => seat.id === of);
  const others = [...pool.slice(own + 1), ...pool.slice(0, own)];
  const start = ((round - 2) * (SPARSE - 1)) % others.length;
  const ring = [...others.slice(start), ...others.slice(0, start)];
  return [...pool.slice(own, own + 1), ...ring.slice(0, SPARSE - 1)];
}
