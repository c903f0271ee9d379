import type { Labelled } from '../../../prompting/blind-labels';
import { textsAgree } from '../../agreement/answers-agree';
import { conclude } from '../../arbiter/conclude';
import { callsOf, type StrategyCalls, wavesOfRounds } from '../../estimate/calls';
import { anonymous, type Contributor, namesOf, stand } from '../../panel/contributors';
import { twoTeams } from '../../panel/panel';
import { revise } from '../../panel/revision';
import { type Ending, type EnsembleRequest, noteDegraded, type Run, type Strategy } from '../../run';
import { draft, draftInstead, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { ATTACK_SCHEMA, type FindingOfSeat, findingText, parseAttack, weightOf } from './findings';
import { attackTask, defendedVersions, defendTask, VERSION_ANALYSIS, VERSION_ANSWER_TASK } from './prompts';

/**
 * Red team, blue team: odd participants are blue and draft, even ones are red; one alone is both. In each round red
 * reports what is wrong, without having seen older findings, and every blue corrects or rebuts what was found in its own.
 * Calls: ⌈n/2⌉ + r·max(2, n) + 1 + v, fewer where an answer has no findings; serial waves: 2r + 2 + v.
 */
export const redTeamBlueTeam: Strategy = {
  calls: engagementCalls,
  firstWave: (opening) => twoTeams(opening.request.panel).odd.map((seat) => draftQuestion(opening, seat)),
  play: attackAndDefend,
};

/** Blue drafts; in each round red reads all of them, and every blue its own. */
function engagementCalls({ panel, rounds }: EnsembleRequest): StrategyCalls {
  const { odd: blue, even: red } = twoTeams(panel);
  return {
    waves: [
      { round: 0, calls: callsOf(blue, 'draft', 0) },
      ...wavesOfRounds({ from: 1, rounds }, callsOf(red, 'attack', blue.length), callsOf(blue, 'revise', 1)),
    ],
    material: blue.length,
  };
}

async function attackAndDefend(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const { odd, even } = twoTeams(run.request.panel);
  const red = even.map((seat) => ({ seat, text: '', failures: 0 }));
  const startedMs = run.clock.nowMs();
  const drafted = await draft(run, firstWave, { team: 'blue team', needed: true });
  const blue = stand(run, drafted.map(defenderOf));
  if (blue.length === 0) {
    // The red team answers itself, and none is left to attack.
    const others = even.filter((seat) => !odd.includes(seat));
    const instead = await draftInstead(run, others);
    return decide(run, stand(run, instead.map(defenderOf)));
  }
  const weights: number[] = [];
  await playRounds(run, { from: 1, title: 'attack and correction', startedMs, contributors: blue }, (round) =>
    playRound(run, { blue, red, round }, weights),
  );
  return decide(run, blue);
}

/** One round; `weights` are those of each round's findings so far, where they were graded. */
async function playRound(run: Run, engagement: Engagement, weights: number[]): Promise<string | undefined> {
  const { blue, round } = engagement;
  const { attacks, complete } = await attack(run, engagement);
  if (attacks.length === 0) return 'Nobody attacked';
  const findings = blue.flatMap((defender) => defender.findings);
  // An attacker that did not answer may have seen something.
  if (complete && findings.every(({ severity }) => severity === 'minor')) return 'Nothing serious was found';
  if (complete && attacks.every(({ graded }) => graded)) {
    weights.push(weightOf(findings));
    if (stagnant(weights)) return 'The findings no longer get fewer';
  }
  await defend(run, blue, round);
  return undefined;
}

/** True where the last two rounds brought no improvement each. */
function stagnant(weights: readonly number[]): boolean {
  const [before, middle, last] = weights.slice(-3);
  return before !== undefined && middle !== undefined && last !== undefined && middle >= before && last >= middle;
}

async function decide(run: Run, blue: readonly Defender[]): Promise<Ending> {
  const versions = anonymous(run, blue);
  const soundest = blue.toSorted(
    (a, b) => weightOf(a.findings) - weightOf(b.findings) || b.text.length - a.text.length,
  );
  const found = blue.flatMap(({ seat, findings }) =>
    findings.map((finding) => `${seat.label}, ${findingText(finding)}`),
  );
  return conclude(run, {
    candidates: blue,
    material: defendedVersions(versions, run.mask),
    names: namesOf(versions),
    form: VERSION_ANALYSIS,
    answerTask: VERSION_ANSWER_TASK,
    agreement: textsAgree(blue, run.request.answerForm),
    known: [{ title: 'Review', lines: found }],
    authors: soundest.map(({ seat }) => seat),
  });
}

/** A blue participant: its answer, what was last found in it and what it said to that. */
interface Defender extends Contributor {
  findings: readonly FindingOfSeat[];
  responses: string;
}

/** A blue participant before the first attack. */
function defenderOf(contributor: Contributor): Defender {
  return { ...contributor, findings: [], responses: '' };
}

/** Teams of a round. */
interface Engagement {
  readonly blue: readonly Defender[];
  readonly red: readonly Contributor[];
  readonly round: number;
}

/** Red reads, blue's findings are replaced. Returns the attacks that came, and whether every attacker has answered. */
async function attack(run: Run, { blue, red, round }: Engagement) {
  const versionsFor = ({ seat }: Contributor) => anonymous(run, blue, { reader: seat.id, step: `r${round}.attack` });
  for (const defender of blue) Object.assign(defender, { findings: [], responses: '' });
  const { replies, complete } = await askEach(run, red, {
    round,
    suffix: '.attack',
    purpose: () => 'attack',
    outputSchema: ATTACK_SCHEMA,
    task: (attacker) => attackTask(versionsFor(attacker)),
  });
  const attacks = replies.map(({ contributor, text }) => {
    const report = parseAttack(text);
    if (report.refused) noteDegraded(run, `${contributor.seat.label} would not review the answers`);
    const versions = versionsFor(contributor);
    for (const finding of report.findings) assign({ ...finding, by: contributor.seat.id }, versions, blue);
    return report;
  });
  return { attacks, complete };
}

/** A finding goes to the answer it names; one that names none concerns all. */
function assign(finding: FindingOfSeat, versions: readonly (Defender & Labelled)[], blue: readonly Defender[]): void {
  const target = versions.find(({ label }) => label === finding.target);
  for (const defender of blue) {
    if (!target || target.seat === defender.seat) defender.findings = [...defender.findings, finding];
  }
}

/** Everybody corrects or rebuts what was found in its own answer. */
async function defend(run: Run, blue: readonly Defender[], round: number): Promise<void> {
  const attacked = blue.filter(({ findings }) => findings.length > 0);
  const { replies } = await askEach(run, attacked, {
    round,
    suffix: '.defence',
    task: (defender) => defendTask(defender, run.mask),
  });
  for (const reply of replies) reply.contributor.responses = revise(run, reply, ['FINDING']).said.FINDING ?? '';
}
