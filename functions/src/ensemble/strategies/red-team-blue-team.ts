import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { attack, type Defender, defend, defenderOf, type Engagement } from '../attack-and-defence';
import { weightOf } from '../findings';
import type { Panel, Seat } from '../panel';
import { activePlayers, anonymous, draftInstead, draftQuestion, namesOf, playersOf, sayWhoAnswers } from '../players';
import { defendedVersions, VERSION_ANALYSIS, VERSION_ANSWER_TASK } from '../prompts/red-team-blue-team';
import { playRounds, timed } from '../rounds';
import type { Run } from '../run';
import type { Strategy } from './strategy';

/**
 * Red team, blue team. Odd participants are blue and draft; even ones are red (one alone is both). Each round the red
 * team, which sees the current answers and no older findings, reports what is wrong; then every blue corrects or
 * rebuts what was found in its own answer. The arbiter, white, writes the hardened answer. Ends early when nothing
 * serious is found, or when the weight of the findings has not fallen for two rounds.
 *
 * Calls: ⌈n/2⌉ + r·max(2, n) + 1 + v, fewer where an answer has no findings; serial waves: 2r + 2 + v.
 * Sources: PyRIT's attack loop; a fresh look each round instead of one anchored on old findings.
 */
export const redTeamBlueTeam: Strategy = {
  waves: ({ rounds }) => 1 + 2 * rounds,
  judges: false,
  firstWave: (request, id) => teams(request.panel).blue.map((seat) => draftQuestion(request, id, seat)),
  play: async (run) => {
    const red = teams(run.request.panel).red.map((seat) => ({ seat, text: '', failures: 0 }));
    const drafted = await timed(run, () => draft(run));
    const { blue, attackable } = drafted.value;
    const weights: number[] = [];
    if (attackable) {
      const plan = { from: 1, title: 'attack and correction', lastMs: drafted.lastMs, players: blue };
      await playRounds(run, plan, (round) => playRound(run, { blue, red, round, weights }));
    }
    await decide(run, blue);
  },
};

function teams({ participants }: Panel): { readonly blue: readonly Seat[]; readonly red: readonly Seat[] } {
  if (participants.length === 1) return { blue: participants, red: participants };
  return {
    blue: participants.filter((_, index) => index % 2 === 0),
    red: participants.filter((_, index) => index % 2 === 1),
  };
}

/** The blue answers; when no blue delivers the red team answers itself, and nobody is left to attack. */
async function draft(run: Run): Promise<{ blue: Defender[]; attackable: boolean }> {
  const questions = redTeamBlueTeam.firstWave(run.request, run.id);
  sayWhoAnswers(run, questions, 'blue team');
  const players = playersOf(await askAll(run, questions, { needed: true }));
  if (players.length > 0) return { blue: players.map(defenderOf), attackable: true };
  const { blue, red } = teams(run.request.panel);
  const others = red.filter((seat) => !blue.includes(seat));
  return { blue: (await draftInstead(run, others)).map(defenderOf), attackable: false };
}

interface Round extends Engagement {
  /** The weight of each round's findings so far, where they were graded. */
  readonly weights: number[];
}

async function playRound(run: Run, { blue, red, round, weights }: Round): Promise<string | undefined> {
  const attackers = activePlayers(red).length;
  const attacks = await attack(run, { blue, red, round });
  if (attacks.length === 0) return 'Nobody attacked';
  const findings = blue.flatMap((defender) => defender.findings);
  // Who did not answer may have seen something.
  const complete = attacks.length === attackers;
  if (complete && !findings.some(({ severity }) => severity !== 'minor')) return 'Nothing serious was found';
  if (complete && attacks.every(({ graded }) => graded)) {
    weights.push(weightOf(findings));
    if (stagnant(weights)) return 'The findings no longer get fewer';
  }
  await defend(run, blue, round);
  return undefined;
}

/** Whether the last two rounds brought no improvement each. */
function stagnant(weights: readonly number[]): boolean {
  const [before, middle, last] = weights.slice(-3);
  return before !== undefined && middle !== undefined && last !== undefined && middle >= before && last >= middle;
}

async function decide(run: Run, blue: readonly Defender[]): Promise<void> {
  const labelled = anonymous(run, blue, { reader: 'arbiter', step: 'final' });
  const versions = labelled.map(({ findings, responses, ...version }) => ({
    ...version,
    findings: findings.map(({ severity, text }) => run.mask(`${severity}: ${text}`)),
    responses: run.mask(responses),
  }));
  const soundest = [...blue].sort(
    (a, b) => weightOf(a.findings) - weightOf(b.findings) || b.text.length - a.text.length,
  );
  await conclude(run, {
    offers: blue,
    material: defendedVersions(versions),
    names: namesOf(labelled),
    form: VERSION_ANALYSIS,
    answerTask: VERSION_ANSWER_TASK,
    known: [
      {
        title: 'Found in the last round',
        lines: blue.flatMap(({ seat, findings }) =>
          findings.map(({ severity, text }) => `${seat.label}, ${severity}: ${text}`),
        ),
      },
    ],
    authors: soundest.map(({ seat }) => seat),
  });
}
