import { shuffled } from '../../../prompting/blind-labels';
import { conclude } from '../../arbiter/conclude';
import { callsOf, type StrategyCalls, wavesOfRounds } from '../../estimate/calls';
import { activeContributors, type Contributor, FINAL, longestFirst, stand } from '../../panel/contributors';
import type { Seat } from '../../panel/panel';
import { revise } from '../../panel/revision';
import { type Ending, type EnsembleRequest, noteDegraded, type Run, type Strategy } from '../../run';
import { draft, draftInstead, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds, skipRounds } from '../../waves/rounds';
import { casesForAnswer, DEBATE_ANSWER_TASK, oppositionTask, secondingTask, statementTask, VERDICT } from './prompts';
import {
  type DebateTeams,
  debateTeams,
  SIDES,
  type Side,
  type Speaker,
  shownStatements,
  sidesOf,
  speakersFor,
} from './speakers';
import { concededDebate, judgeDebate } from './verdict';

/**
 * Debate: odd participants are the proposition, even ones the opposition; one alone plays both. The first speaker's answer
 * is the motion, which the rest of its side seconds while the opposition answers it. In each further round everybody
 * answers the strongest objection; the arbiter judges in both orders, unless one side concedes.
 * Calls: max(2, n)·r + 3, two fewer after a concession; serial waves: r + 3. Sources: arXiv 2305.19118; order bias 2305.17926, 2406.07791.
 */
export const debateTournament: Strategy = {
  calls: debateCalls,
  firstWave: (opening) =>
    debateTeams(opening.request.panel)
      .proposition.slice(0, 1)
      .map((seat) => draftQuestion(opening, seat)),
  seats: (panel) => {
    const { proposition, opposition } = debateTeams(panel);
    return panel.participants.length === 1 ? [...proposition, ...opposition] : panel.participants;
  },
  play: debate,
};

/** The motion, both sides on it, then everybody reads all statements; the arbiter judges in both orders. */
function debateCalls({ panel, rounds }: EnsembleRequest): StrategyCalls {
  const { proposition, opposition } = debateTeams(panel);
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

async function debate(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const startedMs = run.clock.nowMs();
  const speakers = await openingStatements(run, firstWave);
  let conceding: readonly Side[] = [];
  if (bothSpeak(speakers)) {
    await playRounds(
      run,
      { title: 'the sides answer each other', startedMs, contributors: speakers },
      async (round) => {
        const said = await answerEachOther(run, speakers, round);
        conceding = said.conceding;
        const [side] = conceding;
        if (side === undefined) return said.settled ? 'Neither side has anything to add' : undefined;
        return conceding.length === 1 ? `The ${side} concedes` : 'Both sides concede';
      },
    );
  } else skipRounds(run, 2, 'only one side had something to say');
  return decide(run, speakers, conceding);
}

function bothSpeak(speakers: readonly Speaker[]): boolean {
  return SIDES.every((side) => speakers.some(({ part }) => part === side));
}

/** Round 1: the motion, then both sides on it. A side that fails leaves the other's answers to stand alone. */
async function openingStatements(run: Run, firstWave: readonly Question[]): Promise<Speaker[]> {
  const { proposition, opposition } = debateTeams(run.request.panel);
  const { opener, unheard } = await motionOf(run, firstWave);
  if (!opener) return everybodyAtOnce(run, { proposition: unheard, opposition });
  const motion = stand(run, speakersFor('proposition', [opener]));
  const shownTo = (seat: Seat) => shownStatements(run, motion, { seat, round: 1 });
  const seconders = proposition.slice(1 + proposition.findIndex(({ id }) => id === opener.seat.id));
  const questions = [
    ...seconders.map((seat) => draftQuestion(run, seat, secondingTask(shownTo(seat)))),
    ...opposition.map((seat) => draftQuestion(run, seat, oppositionTask(shownTo(seat)))),
  ];
  const replies = await draft(run, questions, { team: seconders.length === 0 ? 'opposition' : 'both sides' });
  return [...motion, ...stand(run, onSides(replies, seconders))];
}

/** A failure that takes no longer leaves time for the next speaker to open. */
const QUICK_FAILURE_MS = 15_000;

/**
 * The first speaker opens; if it fails, the next one of its side does. Only one of them is waited for: where it has taken
 * its time to fail there is no motion, and the rest of the side, `unheard`, has not been asked.
 */
async function motionOf(run: Run, firstWave: readonly Question[]) {
  const { proposition } = debateTeams(run.request.panel);
  const startedMs = run.clock.nowMs();
  for (const [place, seat] of proposition.entries()) {
    const asked = place === 0 ? firstWave : [draftQuestion(run, seat)];
    const [opener] = await draft(run, asked, { team: 'proposition', needed: true });
    const unheard = proposition.slice(place + 1);
    if (opener || run.clock.nowMs() - startedMs > QUICK_FAILURE_MS) return { opener, unheard };
  }
  return { opener: undefined, unheard: [] };
}

/** Without a motion whoever was not asked yet answers the message itself, for the side it is on. */
async function everybodyAtOnce(run: Run, { proposition, opposition }: DebateTeams): Promise<Speaker[]> {
  if (proposition.length > 0) {
    noteDegraded(run, 'The proposition did not open in time: everybody else answered at once, without a common motion');
  }
  const speakers = onSides(await draftInstead(run, [...proposition, ...opposition]), proposition);
  return [...stand(run, speakers)];
}

/** Contributors as speakers: the proposition, then all others as the opposition. */
function onSides(contributors: readonly Contributor[], proposition: readonly Seat[]): Speaker[] {
  const isFor = ({ seat }: Contributor): boolean => proposition.some(({ id }) => id === seat.id);
  return [
    ...speakersFor('proposition', contributors.filter(isFor)),
    ...speakersFor(
      'opposition',
      contributors.filter((contributor) => !isFor(contributor)),
    ),
  ];
}

/** One further round; tells the sides that gave up, all of their speakers that were asked, and whether nobody says more. */
async function answerEachOther(run: Run, speakers: readonly Speaker[], round: number) {
  const asked = activeContributors(speakers);
  const { replies, complete } = await askEach(run, speakers, {
    round,
    task: (speaker) => {
      const { seat, part } = speaker;
      const shown = (others: Speaker[]) => shownStatements(run, others, { seat, round });
      return statementTask(speaker, {
        allies: shown(speakers.filter((other) => other.part === part && other !== speaker)),
        opponents: shown(speakers.filter((other) => other.part !== part)),
      });
    },
  });
  const revisions = replies.map((reply) => revise(run, reply, ['STANCE']));
  const conceded = new Set(
    revisions.flatMap(({ contributor, said }) =>
      said.STANCE?.toLowerCase().startsWith('conced') ? [contributor] : [],
    ),
  );
  const conceding = SIDES.filter((side) => {
    const own = asked.filter(({ part }) => part === side);
    return own.length > 0 && own.every((speaker) => conceded.has(speaker));
  });
  const settled = complete && revisions.every(({ text }) => text === '');
  return { conceding, settled };
}

/** There is nothing to judge where one side concedes, or where only one has spoken. */
async function rulingOf(run: Run, speakers: readonly Speaker[], conceding: readonly Side[]) {
  const [loser, ...others] = conceding;
  if (loser !== undefined && others.length === 0) return concededDebate(loser);
  if (!bothSpeak(speakers)) return undefined;
  return judgeDebate(run, speakers);
}

async function decide(run: Run, speakers: readonly Speaker[], conceding: readonly Side[]): Promise<Ending> {
  const { arbiter: seat } = run.request.panel;
  const ruling = await rulingOf(run, speakers, conceding);
  const winner = ruling?.winner;
  const [first = [], second = []] = shuffled(SIDES, { requestId: run.id, ...FINAL }).map((side) => {
    const own = speakers.filter(({ part }) => part === side);
    return shownStatements(run, own, { seat, round: 0 });
  });
  const [best, ...alike] = speakers.filter(({ part }) => part === winner);
  return conclude(run, {
    candidates: speakers,
    material: casesForAnswer(first, second),
    form: VERDICT,
    answerTask: winner === undefined ? DEBATE_ANSWER_TASK.split : DEBATE_ANSWER_TASK.decided,
    known: [{ title: 'Roles', lines: sidesOf(run.request.panel, speakers) }],
    authors: [
      ...longestFirst(speakers.filter(({ part }) => part === winner)),
      ...longestFirst(speakers.filter(({ part }) => part !== winner)),
    ],
    ruling,
    agreement: ruling?.agreement,
    ...(best && alike.length === 0 && { winner: best.seat.id }),
  });
}
