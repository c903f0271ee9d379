import type { Labelled } from '../anonymise';
import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { type Ballot, bordaPoints, parseRevision } from '../ballot';
import { conversationOf } from '../conversation';
import { activePlayers, anonymous, draftAll, draftQuestion, type Player, replaceText, settleReplies } from '../players';
import { DRAFT_ANALYSIS, DRAFT_ANSWER_TASK, judgedDrafts, revisionPrompt } from '../prompts/competitive-refinement';
import { type Question, question } from '../question';
import { playRounds, timed } from '../rounds';
import type { Run } from '../run';
import type { Strategy } from './strategy';

/**
 * Competitive refinement, the default. Every participant drafts an answer on its own; in each further round it sees
 * the others' last drafts, anonymous and shuffled, improves its own for concrete errors only, and ranks the others.
 * The arbiter then writes the answer from the last drafts, the first ones where they changed, and the ballots.
 * Ends early when every draft stands.
 *
 * Calls: n·r + 1 + v (v = 1 with an explanation); serial waves: r + 1 + v. Sources: Du et al. 2305.14325,
 * 2509.05396 (change only for a named error), llm-council ADR-017 (anonymous ballots).
 */
export const competitiveRefinement: Strategy = {
  waves: ({ rounds }) => rounds,
  judges: false,
  firstWave: (request, id) => request.panel.participants.map((seat) => draftQuestion(request, id, seat)),
  play: async (run) => {
    const drafted = await timed(run, () => draftAll(run, competitiveRefinement.firstWave(run.request, run.id)));
    const players = drafted.value;
    let ballots: Ballot[] = [];
    await playRounds(run, { from: 2, title: 'refining the drafts', lastMs: drafted.lastMs, players }, async (round) => {
      const outcome = await revise(run, players, round);
      ballots = outcome.ballots;
      return outcome.allKept ? 'All drafts stand' : undefined;
    });
    await decide(run, players, bordaPoints(ballots));
  },
};

/** A revision with what is needed to read its ballot. */
interface Revising extends Question {
  readonly player: Player;
  readonly others: readonly Labelled[];
}

async function revise(run: Run, players: readonly Player[], round: number) {
  const asked = activePlayers(players).map((player) => revisionQuestion(run, { player, players, round }));
  const answered = settleReplies(await askAll(run, asked));
  const revisions = answered.map(({ question: { player, others }, text }) => {
    const revision = parseRevision(text);
    const kept = revision.kept || revision.text === '';
    if (!kept) replaceText(player, revision.text);
    const ballot = revision.ranking.flatMap((label) => others.find((other) => other.label === label)?.seat.id ?? []);
    return { kept, ballot };
  });
  return {
    ballots: revisions.map(({ ballot }) => ballot).filter((ballot) => ballot.length > 0),
    allKept: revisions.length === asked.length && revisions.every(({ kept }) => kept),
  };
}

interface Revision {
  readonly player: Player;
  readonly players: readonly Player[];
  readonly round: number;
}

function revisionQuestion(run: Run, { player, players, round }: Revision): Revising {
  const { seat } = player;
  const peers = players.filter((other) => other !== player);
  const others = anonymous(run, peers, { reader: seat.id, step: `r${round}` });
  const sheet = revisionPrompt(conversationOf(run), player.text, others);
  return question({ callId: `r${round}.${seat.id}`, seat, purpose: 'revise' as const, round, player, others }, sheet);
}

async function decide(run: Run, players: readonly Player[], points: ReadonlyMap<string, number>): Promise<void> {
  const labelled = anonymous(run, players, { reader: 'arbiter', step: 'final' });
  const drafts = labelled.map(({ firstText, ...draft }) => ({
    ...draft,
    ...(firstText !== undefined && { firstText: run.mask(firstText) }),
  }));
  const score = ({ seat }: Pick<Player, 'seat'>): number => points.get(seat.id) ?? 0;
  const ballot = [...drafts]
    .sort((a, b) => score(b) - score(a))
    .map((draft) => `${draft.label} ${rounded(score(draft))}`);
  await conclude(run, {
    offers: players,
    material: judgedDrafts(drafts, points.size > 0 ? ballot.join(', ') : undefined),
    names: new Map(drafts.map(({ label, seat }) => [label, seat.label])),
    form: DRAFT_ANALYSIS,
    answerTask: DRAFT_ANSWER_TASK,
    known: [],
    authors: [...players].sort((a, b) => score(b) - score(a)).map(({ seat }) => seat),
  });
}

function rounded(points: number): number {
  return Number(points.toFixed(2));
}
