import { shuffled } from './anonymise';
import { conversationOf } from './conversation';
import type { Side } from './debate-verdict';
import type { Panel, Seat } from './panel';
import type { Player } from './players';
import { statementPrompt } from './prompts/debate-tournament';
import { type Question, question } from './question';
import type { Run } from './run';
import type { Exhibit } from './sheet';

/** A participant on one of the sides. */
export interface Speaker extends Player {
  readonly side: Side;
}

/** Who speaks for which side. */
export function debateTeams({ participants }: Panel): Readonly<Record<Side, readonly Seat[]>> {
  const [only] = participants;
  if (participants.length === 1 && only) {
    const part = (side: Side): Seat => ({ ...only, id: `${only.id}.${side}`, label: `${only.label} (${side})` });
    return { proposition: [part('proposition')], opposition: [part('opposition')] };
  }
  return {
    proposition: participants.filter((_, index) => index % 2 === 0),
    opposition: participants.filter((_, index) => index % 2 === 1),
  };
}

/** Whose turn it is, and what has been said. */
interface Turn {
  readonly player: Speaker;
  /** Everybody's last statements, the player's among them. */
  readonly before: readonly Speaker[];
  readonly round: number;
}

/** What a speaker is asked in a further round. */
export function statementQuestion(run: Run, { player, before, round }: Turn): Question & { readonly player: Speaker } {
  const { seat, side, text: own } = player;
  const reader = { seat, round };
  const sheet = statementPrompt(conversationOf(run), {
    side,
    own,
    allies: shownStatements(
      run,
      before.filter((other) => other.side === side && other.seat !== seat),
      reader,
    ),
    opponents: shownStatements(
      run,
      before.filter((other) => other.side !== side),
      reader,
    ),
  });
  return question({ callId: `r${round}.${seat.id}`, seat, purpose: 'revise' as const, round, player }, sheet);
}

/** Statements without names, in an order of the reader's own. */
export function shownStatements(
  run: Run,
  speakers: readonly Speaker[],
  { seat, round }: { seat: Seat; round: number },
): Exhibit[] {
  const order = shuffled(speakers, { requestId: run.id, reader: seat.id, step: `r${round}` });
  return order.map(({ side, text }, index) => ({ title: `${side} ${index + 1}`, text: run.mask(text) }));
}

/** Who spoke for which side; one that was alone spoke for both. */
export function sidesOf({ participants: [first, ...others] }: Panel, speakers: readonly Speaker[]): string[] {
  if (first && others.length === 0 && speakers.length > 1) return [`${first.label}: both`];
  return speakers.map(({ seat, side }) => `${seat.label}: ${side}`);
}
