import { Fault } from '../../errors';
import { type Authored, labelShuffled } from '../anonymise';
import { conclude, type Member } from '../arbiter';
import { askAll, faultWords, type Question } from '../ask';
import { type Ballot, parseRevision } from '../ballot';
import { conversationOf } from '../conversation';
import { degrade } from '../degrade';
import type { Seat } from '../panel';
import { draftPrompt, revisionPrompt } from '../prompts';
import type { EnsembleRequest, Run } from '../run';
import type { Strategy } from './strategy';

/** A participant in play. One that fails keeps its last good draft; after two failures it is not called again. */
interface Player extends Member {
  readonly seat: Seat;
  text: string;
  firstDraft?: string;
  failures: number;
}

/**
 * Competitive refinement, the default. Every participant drafts an answer on its own; in each further round it sees
 * the others' last drafts, anonymous and shuffled, improves its own for concrete errors only, and ranks the others.
 * The arbiter then writes the answer from the last drafts, the first ones where they changed, and the ballots.
 * Ends early when every draft stands, or when the next round would not fit the deadline.
 *
 * Calls: n·r + 1 + v (v = 1 with an explanation); serial waves: r + 1 + v. Sources: Du et al. 2305.14325,
 * 2509.05396 (change only for a named error), llm-council ADR-017 (anonymous ballots).
 */
export const competitiveRefinement: Strategy = {
  firstWave: ({ panel, ...request }, id) =>
    panel.participants.map((seat) => draftQuestion({ panel, ...request }, id, seat)),
  play: async (run) => {
    const startedMs = run.clock.nowMs();
    const players = await draft(run);
    const ballots = await refine(run, players, run.clock.nowMs() - startedMs);
    await conclude(run, players, ballots);
  },
};

async function draft(run: Run): Promise<Player[]> {
  const { panel, rounds } = run.request;
  const names = panel.participants.map(({ label }) => label).join(', ');
  run.emit({
    type: 'status',
    text: `Round 1 of ${rounds}: ${names} ${panel.participants.length > 1 ? 'are' : 'is'} answering`,
  });
  const questions = panel.participants.map((seat) => draftQuestion(run.request, run.id, seat));
  const answers = await askAll(run, questions, run.deadline.waveBudgetMs(rounds));
  if (answers.length > 0) return answers.map((answer) => ({ ...answer, failures: 0 }));
  const causes = run.failures.map(({ seat, fault }) => `${seat.model.id} (${faultWords(fault)})`);
  throw new Fault('models_failed', `All participant models failed: ${causes.join(', ')}`);
}

/** Rounds 2 to r. Changes the players' drafts in place; returns the ballots of the last round played. */
async function refine(run: Run, players: readonly Player[], draftMs: number): Promise<Ballot[]> {
  const { rounds } = run.request;
  let ballots: Ballot[] = [];
  let lastRoundMs = draftMs;
  for (let round = 2; round <= rounds; round += 1) {
    const active = players.filter(({ failures }) => failures < 2);
    if (active.length === 0) break;
    if (!run.deadline.fitsRound(lastRoundMs)) {
      degrade(run, `Stopped after round ${round - 1} of ${rounds}: not enough time for another`);
      break;
    }
    run.emit({ type: 'status', text: `Round ${round} of ${rounds}: refining the drafts` });
    const roundStartedMs = run.clock.nowMs();
    const outcome = await revise(run, { active, players, round });
    lastRoundMs = run.clock.nowMs() - roundStartedMs;
    ballots = outcome.ballots;
    if (outcome.allKept) {
      run.emit({ type: 'status', text: `All drafts stand after round ${round} of ${rounds}` });
      break;
    }
  }
  return ballots;
}

interface Round {
  readonly active: readonly Player[];
  readonly players: readonly Player[];
  readonly round: number;
}

async function revise(run: Run, { active, players, round }: Round): Promise<{ ballots: Ballot[]; allKept: boolean }> {
  const drafts = players.map(({ seat, text }) => ({ seat, text: run.mask(text) }));
  const sheets = active.map((player) => sheetOf(run, player, { drafts, round }));
  const questions = sheets.map(({ question }) => question);
  const answers = await askAll(run, questions, run.deadline.waveBudgetMs(run.request.rounds - round + 1));
  const ballots: Ballot[] = [];
  let kept = 0;
  for (const { player, seatOf } of sheets) {
    const answer = answers.find(({ seat }) => seat === player.seat);
    if (!answer) {
      player.failures += 1;
      continue;
    }
    const revision = parseRevision(answer.text);
    ballots.push(revision.ranking.map((label) => seatOf.get(label)).filter((id) => id !== undefined));
    if (revision.kept || revision.text === '') kept += 1;
    else replaceDraft(player, revision.text);
  }
  return { ballots: ballots.filter((ballot) => ballot.length > 0), allKept: kept > 0 && kept === active.length };
}

function replaceDraft(player: Player, text: string): void {
  player.firstDraft ??= player.text;
  player.text = text;
}

/** What one reviser is shown, and how its ballot's labels read. */
interface Sheet {
  readonly player: Player;
  readonly question: Question;
  readonly seatOf: ReadonlyMap<string, string>;
}

function sheetOf(run: Run, player: Player, { drafts, round }: { drafts: readonly Authored[]; round: number }): Sheet {
  const others = drafts.filter(({ seat }) => seat !== player.seat);
  const labelled = labelShuffled(others, { requestId: run.id, reader: player.seat.id, step: `r${round}` });
  const prompt = revisionPrompt(conversationOf(run), player.text, labelled);
  return {
    player,
    question: { callId: `r${round}.${player.seat.id}`, seat: player.seat, prompt, purpose: 'revise', round },
    seatOf: new Map(labelled.map(({ label, seat }) => [label, seat.id])),
  };
}

function draftQuestion(request: EnsembleRequest, id: string, seat: Seat): Question {
  const prompt = draftPrompt(conversationOf({ id, request }));
  return { callId: `r1.${seat.id}`, seat, prompt, purpose: 'draft', round: 1 };
}
