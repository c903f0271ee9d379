import { shuffled } from '../../../prompting/blind-labels';
import type { FencedText } from '../../../prompting/prompt-draft';
import { conclude } from '../../arbiter/conclude';
import { callsOf, type StrategyCalls, wavesOfRounds } from '../../estimate/calls';
import { activeContributors, type Contributor, FINAL, longestFirst, shownText, stand } from '../../panel/contributors';
import { type Panel, type Seat, twoTeams } from '../../panel/panel';
import { revise } from '../../panel/revision';
import { type Ending, type EnsembleRequest, noteDegraded, type Run, type Strategy } from '../../run';
import { draft, draftInstead, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds, skipRounds } from '../../waves/rounds';
import { DEBATE_ANSWER_TASK, openingTask, SIDES, type Side, type Speaker, statementTask, VERDICT } from './prompts';
import { concededDebate, judgeDebate } from './verdict';

/**
 * Debate: odd participants are the proposition, even ones the opposition; one alone plays both. The first speaker's answer
 * is the motion, which the rest of its side seconds while the opposition answers it. In each further round everybody
 * answers the strongest objection; the arbiter judges in both orders, unless one side concedes.
 * Calls: max(2, n)·r + 3, two fewer after a concession; serial waves: r + 3. Sources: arXiv 2305.19118; order bias 2305.17926, 2406.07791.
 */
export const debateTournament: Strategy = {
  calls: debateCalls,
  plainDrafts: true,
  firstWave: (opening) =>
    teamsOf(opening.request.panel)
      .proposition.slice(0, 1)
      .map((seat) => draftQuestion(opening, seat)),
  seats: ({ panel }) => {
    const { proposition, opposition } = teamsOf(panel);
    return panel.participants.length === 1 ? [...proposition, ...opposition] : panel.participants;
  },
  play: debate,
};

function debateCalls({ panel, rounds }: EnsembleRequest): StrategyCalls {
  const { proposition, opposition } = teamsOf(panel);
  const speakers = [...proposition, ...opposition];
  return {
    waves: [
      { round: 0, calls: callsOf(proposition.slice(0, 1), 'draft', 0) },
      { round: 0, calls: callsOf([...proposition.slice(1), ...opposition], 'draft', 1) },
      ...wavesOfRounds({ from: 2, rounds }, callsOf(speakers, 'revise', speakers.length)),
    ],
    material: speakers.length,
    verdicts: 2,
  };
}

/** Teams of a panel; one participant alone speaks for both sides. */
function teamsOf(panel: Panel): Readonly<Record<Side, readonly Seat[]>> {
  const { odd, even } = twoTeams(panel);
  if (odd !== even) return { proposition: odd, opposition: even };
  const seatsOf = (side: Side): Seat[] =>
    odd.map((seat) => ({ ...seat, id: `${seat.id}.${side}`, label: `${seat.label} (${side})` }));
  return { proposition: seatsOf('proposition'), opposition: seatsOf('opposition') };
}

async function debate(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const startedMs = run.clock.monotonicMs();
  const speakers = await openingStatements(run, firstWave);
  if (!bothSpeak(speakers)) {
    skipRounds(run, 2, 'only one side had something to say');
    return decide(run, speakers, []);
  }
  let conceding: readonly Side[] = [];
  await playRounds(run, { title: 'the sides answer each other', startedMs, contributors: speakers }, async (round) => {
    const said = await answerEachOther(run, speakers, round);
    conceding = said.conceding;
    const [side] = conceding;
    if (side === undefined) return said.settled ? 'Neither side has anything to add' : undefined;
    return conceding.length === 1 ? `The ${side} concedes` : 'Both sides concede';
  });
  return decide(run, speakers, conceding);
}

function bothSpeak(speakers: readonly Speaker[]): boolean {
  return SIDES.every((side) => speakers.some(({ part }) => part === side));
}

/** A failure that takes no longer leaves time for the next speaker to open. */
const QUICK_FAILURE_MS = 15_000;

/** Round 1: the first speaker opens, or, if it fails, the next one of its side; then both sides answer the motion. */
async function openingStatements(run: Run, firstWave: readonly Question[]): Promise<Speaker[]> {
  const { proposition } = teamsOf(run.request.panel);
  const startedMs = run.clock.monotonicMs();
  for (const [place, seat] of proposition.entries()) {
    const asked = place === 0 ? firstWave : [draftQuestion(run, seat)];
    const [opener] = await draft(run, asked, { team: 'proposition', needed: true });
    const others = proposition.slice(place + 1);
    if (opener) return onMotion(run, opener, others);
    if (run.clock.monotonicMs() - startedMs > QUICK_FAILURE_MS) return withoutMotion(run, others);
  }
  return withoutMotion(run, []);
}

async function onMotion(run: Run, opener: Contributor, seconders: readonly Seat[]): Promise<Speaker[]> {
  const motion = onSides(run, [opener]);
  const taskOf = (part: Side, seat: Seat) => openingTask(part, shownStatements(run, motion, { seat, round: 1 }));
  const questions = [
    ...seconders.map((seat) => draftQuestion(run, seat, taskOf('proposition', seat))),
    ...teamsOf(run.request.panel).opposition.map((seat) => draftQuestion(run, seat, taskOf('opposition', seat))),
  ];
  const replies = await draft(run, questions, { team: seconders.length === 0 ? 'opposition' : 'both sides' });
  return [...motion, ...onSides(run, replies)];
}

/** Whoever was not asked yet answers the message itself, for the side it is on. */
async function withoutMotion(run: Run, unheard: readonly Seat[]): Promise<Speaker[]> {
  if (unheard.length > 0) {
    noteDegraded(run, 'The proposition did not open in time: everybody else answered at once, without a common motion');
  }
  return onSides(run, await draftInstead(run, [...unheard, ...teamsOf(run.request.panel).opposition]));
}

/** Contributors as speakers: all that are not of the proposition are of the opposition. */
function onSides(run: Run, contributors: readonly Contributor[]): Speaker[] {
  const ids = new Set(teamsOf(run.request.panel).proposition.map(({ id }) => id));
  const sideOf = (seat: Seat): Side => (ids.has(seat.id) ? 'proposition' : 'opposition');
  return [
    ...stand(
      run,
      contributors.map((each) => ({ ...each, part: sideOf(each.seat) })),
    ),
  ];
}

/** Statements without names, in an order of the reader's own. */
function shownStatements(
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

/** One further round; tells the sides that gave up, all of their speakers that were asked, and whether nobody says more. */
async function answerEachOther(run: Run, speakers: readonly Speaker[], round: number) {
  const asked = activeContributors(speakers);
  const { replies, complete } = await askEach(run, speakers, {
    round,
    task: (speaker) => {
      const shown = (isWanted: (other: Speaker) => boolean) =>
        shownStatements(run, speakers.filter(isWanted), { seat: speaker.seat, round });
      return statementTask(speaker, {
        allies: shown((other) => other.part === speaker.part && other !== speaker),
        opponents: shown((other) => other.part !== speaker.part),
      });
    },
  });
  const revisions = replies.map((reply) => revise(run, reply, ['STANCE']));
  const conceded = revisions.filter(({ said }) => said.STANCE?.toLowerCase().startsWith('conced'));
  const conceding = SIDES.filter((side) => {
    const own = asked.filter(({ part }) => part === side);
    return own.length > 0 && own.every((speaker) => conceded.some(({ contributor }) => contributor === speaker));
  });
  return { conceding, settled: complete && revisions.every(({ text }) => text === '') };
}

/** There is nothing to judge where one side concedes, or where only one has spoken. */
function rulingOf(run: Run, speakers: readonly Speaker[], [loser, ...others]: readonly Side[]) {
  if (loser !== undefined && others.length === 0) return concededDebate(loser);
  return bothSpeak(speakers) ? judgeDebate(run, speakers) : undefined;
}

async function decide(run: Run, speakers: readonly Speaker[], conceding: readonly Side[]): Promise<Ending> {
  const { arbiter: seat, participants } = run.request.panel;
  const ruling = await rulingOf(run, speakers, conceding);
  const onSide = (side: Side) => speakers.filter(({ part }) => part === side);
  const winners = speakers.filter(({ part }) => part === ruling?.winner);
  const losers = speakers.filter((speaker) => !winners.includes(speaker));
  const cases = shuffled(SIDES, { requestId: run.id, ...FINAL }).flatMap((side) =>
    shownStatements(run, onSide(side), { seat, round: 0 }),
  );
  const isOneForBoth = participants.length === 1 && speakers.length > 1;
  const roles = isOneForBoth
    ? participants.map(({ label }) => `${label}: both`)
    : speakers.map((speaker) => `${speaker.seat.label}: ${speaker.part}`);
  return conclude(run, {
    candidates: speakers,
    material: ["Two sides have debated the user's message. Their last statements:", ...cases],
    form: VERDICT,
    answerTask: winners.length === 0 ? DEBATE_ANSWER_TASK.split : DEBATE_ANSWER_TASK.decided,
    known: [{ title: 'Roles', lines: roles }],
    authors: [...longestFirst(winners), ...longestFirst(losers)],
    ruling,
    agreement: ruling?.agreement,
    ...(winners[0] && winners.length === 1 && { winner: winners[0].seat.id }),
  });
}
