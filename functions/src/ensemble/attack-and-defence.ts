import type { Labelled } from './anonymise';
import { askAll } from './ask-all';
import { conversationOf } from './conversation';
import { degrade } from './degrade';
import { type Attack, type Finding, parseAttack, parseDefence } from './findings';
import { activePlayers, anonymous, type Player, replaceText, settleReplies } from './players';
import { attackPrompt, defendPrompt } from './prompts/red-team-blue-team';
import { question } from './question';
import type { Run } from './run';

/** A blue participant: its answer, what was last found in it and what it said to that. */
export interface Defender extends Player {
  findings: readonly Finding[];
  responses: string;
}

/** A blue participant before the first attack. */
export function defenderOf(player: Player): Defender {
  return { ...player, findings: [], responses: '' };
}

/** Who meets whom in a round. */
export interface Engagement {
  readonly blue: readonly Defender[];
  readonly red: readonly Player[];
  readonly round: number;
}

/** Red reads, blue's findings are replaced. Returns the attacks that came. */
export async function attack(run: Run, { blue, red, round }: Engagement): Promise<Attack[]> {
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

/** Everybody corrects or rebuts what was found in its own answer. */
export async function defend(run: Run, blue: readonly Defender[], round: number): Promise<void> {
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
