import { conclude } from '../arbiter';
import { askOne } from '../ask';
import { askAll } from '../ask-all';
import { conversationOf } from '../conversation';
import { degrade } from '../degrade';
import { parseLenses } from '../lenses';
import type { Seat } from '../panel';
import {
  activePlayers,
  anonymous,
  draftAll,
  longestFirst,
  namesOf,
  type Player,
  replaceText,
  settleReplies,
} from '../players';
import {
  castPrompt,
  type Lens,
  OPINION_ANALYSIS,
  OPINION_ANSWER_TASK,
  opinionPrompt,
  panelOpinions,
  reconsiderPrompt,
  STANDARD_LENSES,
} from '../prompts/expert-panel';
import { type Question, question } from '../question';
import { playRounds, timed } from '../rounds';
import type { EnsembleRequest, Run } from '../run';
import { parseTrailer } from '../trailer';
import type { Strategy } from './strategy';

/**
 * Expert panel. The arbiter first casts one point of view for each participant; everyone answers from theirs, blind;
 * in each further round the experts see each other's opinions by point of view, concur or dissent claim by claim, and
 * restate their own. The arbiter, in the chair, writes the recommendation. Ends early when no new dissent is left.
 *
 * Calls: n·r + 2 + v; serial waves: r + 2 + v. Source: ChatEval 2308.07201 (distinct roles are essential).
 */
export const expertPanel: Strategy = {
  waves: ({ rounds }) => rounds + 1,
  judges: false,
  firstWave: (request, id) => [castQuestion(request, id)],
  play: async (run) => {
    const lenses = await cast(run);
    const lensOf = (seat: Seat): Lens => lenses.get(seat) ?? NO_LENS;
    const opinions = run.request.panel.participants.map((seat) => opinionQuestion(run, seat, lensOf(seat)));
    const given = await timed(run, () => draftAll(run, opinions));
    const players = given.value.map((player) => ({ ...player, lens: lensOf(player.seat) }));
    await playRounds(run, { from: 2, title: 'the experts reconsider', lastMs: given.lastMs, players }, async (round) =>
      (await reconsider(run, players, round)) ? 'No new dissent' : undefined,
    );
    const judged = anonymous(run, players, { reader: 'arbiter', step: 'final' });
    await conclude(run, {
      offers: players.map((expert) => ({ ...expert, note: expert.lens.name })),
      material: panelOpinions(judged),
      names: namesOf(judged),
      form: OPINION_ANALYSIS,
      answerTask: OPINION_ANSWER_TASK,
      known: [{ title: 'Points of view', lines: players.map(({ seat, lens }) => `${seat.label}: ${lens.name}`) }],
      authors: longestFirst(players),
    });
  },
};

interface Expert extends Player {
  readonly lens: Lens;
}

/** Casting is worth this much of everybody's time; after it the standard points of view are as good. */
const CAST_MAX_MS = 30_000;
const NO_LENS: Lens = { name: 'Expert', focus: 'What the message asks for.' };

async function cast(run: Run): Promise<ReadonlyMap<Seat, Lens>> {
  const { participants, arbiter } = run.request.panel;
  run.emit({ type: 'status', text: `${arbiter.label} is choosing the points of view` });
  const budgetMs = Math.min(CAST_MAX_MS, run.deadline.nextWaveMs(false));
  const result = await askOne(run, castQuestion(run.request, run.id), { budgetMs });
  const chosen = result.ok ? parseLenses(run.mask(result.text), participants.length) : [];
  if (chosen.length === 0) degrade(run, `${arbiter.label} chose no points of view; the standard ones are used`);
  const lenses = chosen.length > 0 ? chosen : STANDARD_LENSES;
  return new Map(participants.map((seat, index) => [seat, lenses[index] ?? NO_LENS]));
}

/** One round; true when nobody disputes anything new. */
async function reconsider(run: Run, experts: readonly Expert[], round: number): Promise<boolean> {
  const shared = experts.map(({ seat, lens, text }) => ({ seat, lens, text }));
  const asked = activePlayers(experts).map((player) => {
    const { seat, lens, text: own } = player;
    const peers = shared.filter((other) => other.seat !== seat);
    const others = anonymous(run, peers, { reader: seat.id, step: `r${round}` });
    const sheet = reconsiderPrompt(conversationOf(run), { lens, own, others });
    return question({ callId: `r${round}.${seat.id}`, seat, purpose: 'revise' as const, round, player }, sheet);
  });
  const answered = settleReplies(await askAll(run, asked));
  const settled = answered.map(({ question: { player }, text }) => {
    const { text: opinion, word } = parseTrailer(text, 'DISSENT');
    replaceText(player, opinion);
    return word === 'none';
  });
  return settled.length === asked.length && settled.every(Boolean);
}

function castQuestion(request: EnsembleRequest, id: string): Question {
  const { participants, arbiter } = request.panel;
  const asked = { callId: 'cast', seat: arbiter, purpose: 'cast', round: 0 } as const;
  return question(asked, castPrompt(conversationOf({ id, request }), participants.length));
}

function opinionQuestion(run: Run, seat: Seat, lens: Lens): Question {
  const asked = { callId: `r1.${seat.id}`, seat, purpose: 'draft', round: 1 } as const;
  return question(asked, opinionPrompt(conversationOf(run), lens));
}
