import { shuffled } from '../../../prompting/blind-labels';
import type { FencedText } from '../../../prompting/prompt-draft';
import { type Contributor, shownText } from '../../panel/contributors';
import { type Panel, type Seat, twoTeams } from '../../panel/panel';
import type { Run } from '../../run';

/** The two sides of a debate. */
export const SIDES = ['proposition', 'opposition'] as const;
export type Side = (typeof SIDES)[number];

/** A participant on one of the sides. */
export interface Speaker extends Contributor {
  readonly part: Side;
}

/** Contributors that speak for a side. */
export function speakersFor(part: Side, contributors: readonly Contributor[]): Speaker[] {
  return contributors.map((contributor) => ({ ...contributor, part }));
}

/** Seats by their sides. */
export type DebateTeams = Readonly<Record<Side, readonly Seat[]>>;

/** Teams of a panel; one participant alone speaks for both sides. */
export function debateTeams(panel: Panel): DebateTeams {
  const { odd, even } = twoTeams(panel);
  if (odd !== even) return { proposition: odd, opposition: even };
  const seatsOf = (side: Side): Seat[] =>
    odd.map((seat) => ({ ...seat, id: `${seat.id}.${side}`, label: `${seat.label} (${side})` }));
  return { proposition: seatsOf('proposition'), opposition: seatsOf('opposition') };
}

/** Statements without names, in an order of the reader's own. */
export function shownStatements(
  run: Run,
  speakers: readonly Speaker[],
  { seat, round }: { readonly seat: Seat; readonly round: number },
): FencedText[] {
  const order = shuffled(speakers, { requestId: run.id, reader: seat.id, step: `r${round}` });
  return order.map((speaker, index) => ({
    title: `${speaker.part} ${index + 1}`,
    text: shownText(run, speaker),
    by: speaker.seat.id,
  }));
}

/** Sides of the speakers, in words; one that was alone spoke for both. */
export function sidesOf({ participants: [first, ...others] }: Panel, speakers: readonly Speaker[]): string[] {
  if (first && others.length === 0 && speakers.length > 1) return [`${first.label}: both`];
  return speakers.map(({ seat, part }) => `${seat.label}: ${part}`);
}
