import type { Labelled } from '../anonymise';
import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { conversationOf } from '../conversation';
import { degrade } from '../degrade';
import { type Attack, type Finding, parseAttack, parseDefence, SEVERITY_WEIGHT } from '../findings';
import type { Panel, Seat } from '../panel';
import {
  activePlayers,
  anonymous,
  draftInstead,
  draftQuestion,
  longestFirst,
  namesOf,
  type Player,
  playersOf,
  replaceText,
  sayWhoAnswers,
  settleReplies,
} from '../players';
import {
  attackPrompt,
  defendedVersions,
  defendPrompt,
  VERSION_ANALYSIS,
  VERSION_ANSWER_TASK,
} from '../prompts/red-team-blue-team';
import { question } from '../question';
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

/** A blue participant: its answer, what was last found in it and what it said to that. */
interface Defender extends Player {
  findings: readonly Finding[];
  responses: string;
}

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

function defenderOf(player: Player): Defender {
  return { ...player, findings: [], responses: '' };
}

interface Round {
  readonly blue: readonly Defender[];
  readonly red: readonly Player[];
  readonly round: number;
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
    weights.push(findings.reduce((sum, { severity }) => sum + SEVERITY_WEIGHT[severity], 0));
    if (stagnant(weights)) return 'The findings no longer get fewer';
  }
  await defend(run, blue, round);
  return undefined;
}

/** Red reads, blue's findings are replaced. Returns the attacks that came. */
async function attack(run: Run, { blue, red, round }: Omit<Round, 'weights'>): Promise<Attack[]> {
  const asked = activePlayers(red).map((player) => {
    const { seat } = player;
    const versions = anonymous(run, blue, { reader: seat.id, step: `r${round}.attack` });
    const sheet = attackPrompt(conversationOf(run), versions);
    const call = { callId: `r${round}.${seat.id}.attack`, seat, purpose: 'attack' as const, round, versions, player };
    return question(call, sheet);
  });
  for (const defender of blue) {
    defender.findings = [];
    defender.responses = '';
  }
  const attacks: Attack[] = [];
  for (const { question: call, text } of settleReplies(await askAll(run, asked))) {
    const report = parseAttack(text);
    if (report.refused) degrade(run, `${call.seat.label} would not review the answers`);
    attacks.push(report);
    for (const finding of report.findings) assign(finding, call.versions, blue);
  }
  return attacks;
}

/** A finding goes to the answer it names; one that names none concerns all. */
function assign(finding: Finding, versions: readonly Labelled[], blue: readonly Defender[]): void {
  const target = versions.find(({ label }) => label === finding.target);
  for (const defender of blue) {
    if (!target || target.seat === defender.seat) defender.findings = [...defender.findings, finding];
  }
}

async function defend(run: Run, blue: readonly Defender[], round: number): Promise<void> {
  const asked = activePlayers(blue)
    .filter(({ findings }) => findings.length > 0)
    .map((player) => {
      const { seat, text } = player;
      const findings = player.findings.map((finding) => run.mask(`${finding.severity}: ${finding.text}`));
      const sheet = defendPrompt(conversationOf(run), text, findings);
      return question(
        { callId: `r${round}.${seat.id}.defence`, seat, purpose: 'revise' as const, round, player },
        sheet,
      );
    });
  for (const {
    question: { player },
    text,
  } of settleReplies(await askAll(run, asked))) {
    const defence = parseDefence(text);
    replaceText(player, defence.text);
    player.responses = defence.responses;
  }
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
  const weight = ({ findings }: Defender): number =>
    findings.reduce((sum, { severity }) => sum + SEVERITY_WEIGHT[severity], 0);
  const soundest = longestFirst(blue).map((seat) => blue.find((defender) => defender.seat === seat));
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
    authors: soundest
      .filter((defender) => defender !== undefined)
      .sort((a, b) => weight(a) - weight(b))
      .map(({ seat }) => seat),
  });
}
