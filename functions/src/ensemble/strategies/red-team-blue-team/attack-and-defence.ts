import type { Labelled } from '../../../prompting/blind-labels';
import { anonymous, type Contributor } from '../../panel/contributors';
import { revise } from '../../panel/revision';
import { noteDegraded, type Run } from '../../run';
import { askEach } from '../../waves/rounds';
import { ATTACK_SCHEMA, type FindingOfSeat, parseAttack } from './findings';
import { attackTask, defendTask } from './prompts';

/** A blue participant: its answer, what was last found in it and what it said to that. */
export interface Defender extends Contributor {
  findings: readonly FindingOfSeat[];
  responses: string;
}

/** A blue participant before the first attack. */
export function defenderOf(contributor: Contributor): Defender {
  return { ...contributor, findings: [], responses: '' };
}

/** Who meets whom in a round. */
export interface Engagement {
  readonly blue: readonly Defender[];
  readonly red: readonly Contributor[];
  readonly round: number;
}

/** Red reads, blue's findings are replaced. Returns the attacks that came, and whether every attacker has answered. */
export async function attack(run: Run, { blue, red, round }: Engagement) {
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
export async function defend(run: Run, blue: readonly Defender[], round: number): Promise<void> {
  const attacked = blue.filter(({ findings }) => findings.length > 0);
  const { replies } = await askEach(run, attacked, {
    round,
    suffix: '.defence',
    task: (defender) => defendTask(defender, run.mask),
  });
  for (const reply of replies) reply.contributor.responses = revise(run, reply, ['FINDING']).said.FINDING ?? '';
}
