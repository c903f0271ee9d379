import { shuffled } from '../anonymise';
import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { conversationOf } from '../conversation';
import { debateTeams, type Speaker, shownStatements, sidesOf, statementQuestion } from '../debate-speakers';
import { judgeDebate, type Side } from '../debate-verdict';
import {
  activePlayers,
  draftInstead,
  draftQuestion,
  longestFirst,
  playersOf,
  replaceText,
  sayWhoAnswers,
  settleReplies,
} from '../players';
import { casesForAnswer, DEBATE_ANSWER_TASK, oppositionPrompt, VERDICT } from '../prompts/debate-tournament';
import { question } from '../question';
import { playRounds, timed } from '../rounds';
import type { Run } from '../run';
import { parseTrailer } from '../trailer';
import type { Strategy } from './strategy';

/**
 * Debate. Odd participants are the proposition, even ones the opposition; one alone plays both. The proposition's
 * answers are the motion; the opposition, having seen them, gives the best alternative and its objections; in each
 * further round everyone answers the strongest objection. The arbiter then judges twice, each side shown first once:
 * only a side that wins both times wins, else it is a split. Ends early when a side concedes.
 *
 * Calls: max(2, n)·r + 3; serial waves: r + 3. Sources: MAD 2305.19118; order bias 2305.17926, 2406.07791.
 */
export const debateTournament: Strategy = {
  waves: ({ rounds }) => rounds + 1,
  judges: true,
  firstWave: (request, id) => debateTeams(request.panel).proposition.map((seat) => draftQuestion(request, id, seat)),
  play: async (run) => {
    const opened = await timed(run, () => open(run));
    const speakers = opened.value;
    if (new Set(speakers.map(({ side }) => side)).size === 2) {
      const plan = { from: 2, title: 'the sides answer each other', lastMs: opened.lastMs, players: speakers };
      await playRounds(run, plan, (round) => debate(run, speakers, round));
    }
    await decide(run, speakers);
  },
};

/** Round 1: the motion, then the opposition to it. A side that fails leaves the other's answers to stand alone. */
async function open(run: Run): Promise<Speaker[]> {
  const { proposition, opposition } = debateTeams(run.request.panel);
  const drafts = proposition.map((seat) => draftQuestion(run.request, run.id, seat));
  sayWhoAnswers(run, drafts, 'proposition');
  const motion = playersOf(await askAll(run, drafts, { needed: true })).map((player) => ({
    ...player,
    side: 'proposition' as const,
  }));
  if (motion.length === 0) {
    const instead = await draftInstead(run, opposition);
    return instead.map((player) => ({ ...player, side: 'opposition' }));
  }
  const objections = opposition.map((seat) => {
    const asked = { callId: `r1.${seat.id}`, seat, purpose: 'draft', round: 1 } as const;
    return question(asked, oppositionPrompt(conversationOf(run), shownStatements(run, motion, { seat, round: 1 })));
  });
  sayWhoAnswers(run, objections, 'opposition');
  const against = playersOf(await askAll(run, objections));
  return [...motion, ...against.map((player) => ({ ...player, side: 'opposition' as const }))];
}

/** One further round; says which side gave up, if one did. */
async function debate(run: Run, speakers: readonly Speaker[], round: number): Promise<string | undefined> {
  const before = speakers.map((speaker) => ({ ...speaker }));
  const asked = activePlayers(speakers).map((player) => statementQuestion(run, { player, before, round }));
  const answered = settleReplies(await askAll(run, asked));
  const standing = new Set(asked.map(({ player }) => player));
  for (const {
    question: { player },
    text,
  } of answered) {
    const { text: statement, word } = parseTrailer(text, 'STANCE');
    replaceText(player, statement);
    if (word === 'concedes') standing.delete(player);
  }
  const sides = new Set(asked.map(({ player }) => player.side));
  const side = [...sides].find((asking) => [...standing].every((player) => player.side !== asking));
  return side === undefined ? undefined : `The ${side} concedes`;
}

async function decide(run: Run, speakers: readonly Speaker[]): Promise<void> {
  const { arbiter } = run.request.panel;
  const bothSpoke = new Set(speakers.map(({ side }) => side)).size === 2;
  const ruling = bothSpoke ? await judgeDebate(run, speakers) : undefined;
  const winner = ruling?.winner;
  const winners = speakers.filter(({ side }) => side === winner);
  const losers = speakers.filter(({ side }) => side !== winner);
  const sides = shuffled<Side>(['proposition', 'opposition'], { requestId: run.id, reader: 'arbiter', step: 'final' });
  const [first = [], second = []] = sides.map((side) =>
    shownStatements(
      run,
      speakers.filter((speaker) => speaker.side === side),
      { seat: arbiter, round: 0 },
    ),
  );
  await conclude(run, {
    offers: speakers.map((speaker) => ({ ...speaker, note: speaker.side })),
    material: casesForAnswer(first, second),
    names: new Map(),
    form: VERDICT,
    answerTask: winner === undefined ? DEBATE_ANSWER_TASK.split : DEBATE_ANSWER_TASK.decided,
    known: [{ title: 'Sides', lines: sidesOf(run.request.panel, speakers) }],
    authors: [...longestFirst(winners), ...longestFirst(losers)],
    ...(ruling && { ruling }),
  });
}
