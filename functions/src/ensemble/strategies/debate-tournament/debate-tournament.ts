import { shuffled } from '../../../prompting/blind-labels';
import { conclude } from '../../arbiter/conclude';
import { activeContributors, FINAL, longestFirst, replaceByReply } from '../../panel/contributors';
import type { Ending, Run, Strategy } from '../../run';
import { draft, draftInstead, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { casesForAnswer, DEBATE_ANSWER_TASK, oppositionTask, statementTask, VERDICT } from './prompts';
import { debateTeams, SIDES, type Speaker, shownStatements, sidesOf, speakersFor } from './speakers';
import { judgeDebate } from './verdict';

/**
 * Debate: odd participants are the proposition, whose answers are the motion, even ones the opposition; one alone plays
 * both. In each further round everybody answers the strongest objection; the arbiter judges in both orders.
 * Calls: max(2, n)·r + 3; serial waves: r + 3. Sources: arXiv 2305.19118; order bias 2305.17926, 2406.07791.
 */
export const debateTournament: Strategy = {
  waves: ({ rounds }) => rounds + 1,
  judges: true,
  firstWave: (opening) => debateTeams(opening.request.panel).proposition.map((seat) => draftQuestion(opening, seat)),
  play: debate,
};

async function debate(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const startedMs = run.clock.nowMs();
  const speakers = await openingStatements(run, firstWave);
  if (bothSpeak(speakers)) {
    await playRounds(run, { title: 'the sides answer each other', startedMs, contributors: speakers }, (round) =>
      answerEachOther(run, speakers, round),
    );
  }
  return decide(run, speakers);
}

function bothSpeak(speakers: readonly Speaker[]): boolean {
  return SIDES.every((side) => speakers.some(({ part }) => part === side));
}

/** Round 1: the motion, then the opposition to it. A side that fails leaves the other's answers to stand alone. */
async function openingStatements(run: Run, firstWave: readonly Question[]): Promise<Speaker[]> {
  const { opposition } = debateTeams(run.request.panel);
  const motion = speakersFor('proposition', await draft(run, firstWave, { team: 'proposition', needed: true }));
  if (motion.length === 0) return speakersFor('opposition', await draftInstead(run, opposition));
  const objections = opposition.map((seat) =>
    draftQuestion(run, seat, oppositionTask(shownStatements(run, motion, { seat, round: 1 }))),
  );
  return [...motion, ...speakersFor('opposition', await draft(run, objections, { team: 'opposition' }))];
}

/** One further round; says which side gave up, if one did. */
async function answerEachOther(run: Run, speakers: readonly Speaker[], round: number): Promise<string | undefined> {
  const asked = activeContributors(speakers);
  const { replies } = await askEach(run, speakers, {
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
  const conceded = new Set<Speaker>();
  for (const { contributor, text } of replies) {
    if (replaceByReply(contributor, text, { keyword: 'STANCE' }) === 'concedes') conceded.add(contributor);
  }
  const side = asked.find(({ part }) => asked.every((other) => other.part !== part || conceded.has(other)))?.part;
  return side === undefined ? undefined : `The ${side} concedes`;
}

async function decide(run: Run, speakers: readonly Speaker[]): Promise<Ending> {
  const { arbiter: seat } = run.request.panel;
  const ruling = bothSpeak(speakers) ? await judgeDebate(run, speakers) : undefined;
  const winner = ruling?.winner;
  const [first = [], second = []] = shuffled(SIDES, { requestId: run.id, ...FINAL }).map((side) => {
    const own = speakers.filter(({ part }) => part === side);
    return shownStatements(run, own, { seat, round: 0 });
  });
  return conclude(run, {
    candidates: speakers,
    material: casesForAnswer(first, second),
    form: VERDICT,
    answerTask: winner === undefined ? DEBATE_ANSWER_TASK.split : DEBATE_ANSWER_TASK.decided,
    known: [{ title: 'Sides', lines: sidesOf(run.request.panel, speakers) }],
    authors: [
      ...longestFirst(speakers.filter(({ part }) => part === winner)),
      ...longestFirst(speakers.filter(({ part }) => part !== winner)),
    ],
    ruling,
  });
}
