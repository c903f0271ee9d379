import { type AuthoredText, type Labelled, labelledText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { textsAgree } from '../../agreement/answers-agree';
import { type AnalysisForm, LANGUAGE_RULE, MISSING } from '../../arbiter/analysis';
import { conclude } from '../../arbiter/conclude';
import { callsOf, wavesOfRounds } from '../../estimate/calls';
import { anonymous, type Contributor, stand } from '../../panel/contributors';
import { twoTeams } from '../../panel/panel';
import { revise } from '../../panel/revision';
import { type Ending, noteDegraded, type Run, type Strategy } from '../../run';
import { draft, draftInstead, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { WORKING_WORDS } from '../../waves/task-words';
import { ATTACK_SCHEMA, FINDINGS_MAX, type Finding, parseAttack } from './findings';

/**
 * Red team, blue team: odd participants are blue and draft, even ones are red; one alone is both. In each round red
 * reports what is wrong, without having seen older findings, and every blue corrects or rebuts what was found in its own.
 * Calls: ⌈n/2⌉ + r·max(2, n) + 1 + v, fewer where an answer has no findings; serial waves: 2r + 2 + v.
 */
export const redTeamBlueTeam: Strategy = {
  calls: ({ panel, rounds }) => {
    const { odd: blue, even: red } = twoTeams(panel);
    const round = [callsOf(red, 'attack', blue.length), callsOf(blue, 'revise', 1)];
    const drafts = { round: 0, calls: callsOf(blue, 'draft', 0) };
    return { waves: [drafts, ...wavesOfRounds({ from: 1, rounds }, ...round)], material: blue.length };
  },
  plainDrafts: true,
  firstWave: (opening) => twoTeams(opening.request.panel).odd.map((seat) => draftQuestion(opening, seat)),
  play: attackAndDefend,
};

type FindingOfSeat = Finding & { readonly by: string };

/** A blue participant: its answer, what was last found in it and what it said to that. */
interface Defender extends Contributor {
  findings: readonly FindingOfSeat[];
  responses: string;
}

interface Teams {
  readonly blue: readonly Defender[];
  readonly red: readonly Contributor[];
  /** Weights of each round's findings so far, where they were graded. */
  readonly weights: number[];
}

async function attackAndDefend(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const { odd, even } = twoTeams(run.request.panel);
  const startedMs = run.clock.monotonicMs();
  const blue = defenders(run, await draft(run, firstWave, { team: 'blue team', needed: true }));
  if (blue.length === 0) {
    // The red team answers itself, and none is left to attack.
    const others = even.filter((seat) => !odd.includes(seat));
    return decide(run, defenders(run, await draftInstead(run, others)));
  }
  const red = even.map((seat) => ({ seat, text: '', failures: 0 }));
  const teams = { blue, red, weights: [] };
  await playRounds(run, { from: 1, title: 'attack and correction', startedMs, contributors: blue }, async (round) => {
    const reason = await attack(run, teams, round);
    if (reason === undefined) await defend(run, blue, round);
    return reason;
  });
  return decide(run, blue);
}

function defenders(run: Run, drafts: readonly Contributor[]): readonly Defender[] {
  return stand(
    run,
    drafts.map((each) => ({ ...each, findings: [], responses: '' })),
  );
}

/** Red reads, and blue's findings are replaced; says why nothing more is to be done, if so. */
async function attack(run: Run, { blue, red, weights }: Teams, round: number): Promise<string | undefined> {
  const versionsFor = ({ seat }: Contributor) => anonymous(run, blue, { reader: seat.id, step: `r${round}.attack` });
  for (const defender of blue) Object.assign(defender, { findings: [], responses: '' });
  const { replies, complete } = await askEach(run, red, {
    round,
    suffix: '.attack',
    purpose: () => 'attack',
    outputSchema: ATTACK_SCHEMA,
    task: (attacker) => attackTask(versionsFor(attacker)),
  });
  if (replies.length === 0) return 'Nobody attacked';
  const reports = replies.map(({ contributor, text }) => {
    const report = parseAttack(text);
    if (report.refused) noteDegraded(run, `${contributor.seat.label} would not review the answers`);
    const versions = versionsFor(contributor);
    for (const finding of report.findings) {
      // One that names no answer concerns all.
      const target = versions.find(({ label }) => label === finding.target)?.seat;
      const concerned = blue.filter(({ seat }) => target === undefined || seat === target);
      for (const defender of concerned)
        defender.findings = [...defender.findings, { ...finding, by: contributor.seat.id }];
    }
    return report;
  });
  const findings = blue.flatMap((defender) => defender.findings);
  // An attacker that did not answer may have seen something.
  if (complete && findings.every(({ severity }) => severity === 'minor')) return 'Nothing serious was found';
  if (!complete || !reports.every(({ graded }) => graded)) return undefined;
  weights.push(weightOf(findings));
  const [before = Infinity, middle = Infinity, last = -1] = weights.slice(-3);
  return middle >= before && last >= middle ? 'The findings no longer get fewer' : undefined;
}

function weightOf(findings: readonly Finding[]): number {
  const weights = { critical: 4, major: 2, minor: 1 };
  return findings.reduce((sum, { severity }) => sum + weights[severity], 0);
}

function findingText({ severity, text }: Finding): string {
  return `${severity}: ${text}`;
}

async function defend(run: Run, blue: readonly Defender[], round: number): Promise<void> {
  const attacked = blue.filter(({ findings }) => findings.length > 0);
  const task = (defender: Defender) => defendTask(defender, run.mask);
  const { replies } = await askEach(run, attacked, { round, suffix: '.defence', task });
  for (const reply of replies) reply.contributor.responses = revise(run, reply, ['FINDING']).said.FINDING ?? '';
}

function decide(run: Run, blue: readonly Defender[]): Promise<Ending> {
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
    labelled: versions,
    form: VERSION_ANALYSIS,
    answerTask: VERSION_ANSWER_TASK,
    agreement: textsAgree(blue, run.request.answerForm),
    known: [{ title: 'Review', lines: found }],
    authors: soundest.map(({ seat }) => seat),
  });
}

function attackTask(versions: readonly AuthoredText[]): PromptBlock[] {
  const many = versions.length > 1;
  return [
    `${many ? 'Answers' : 'An answer'} to the user's message, by anonymous authors:`,
    ...versions.map(labelledText),
    DATA_RULE,
    `You are the red team. Find what is wrong with ${many ? 'these answers' : 'this answer'} before the user does: errors, gaps, unsupported claims, unsafe or misleading advice, wording that can be misread, a language, format or length the user did not ask for. Report defects only; write nothing that would itself do harm.`,
    `Reply with one JSON object and nothing else. ${LANGUAGE_RULE}\n{"findings": at most ${FINDINGS_MAX} of {"target": label of the answer, "quote": the words concerned, "severity": "critical", "major" or "minor", "why": what is wrong, "fix": how to correct it}}\nAn empty list means that nothing is worth changing.`,
  ];
}

function defendTask({ seat, text, findings }: Defender, mask: (text: string) => string): PromptBlock[] {
  const found = findings.map((finding, index) => `${index + 1}. ${mask(findingText(finding))}`);
  return [
    "Your answer to the user's message:",
    { title: 'yours', text, by: seat.id },
    'What reviewers found in it:',
    { title: 'findings', text: found.join('\n'), by: authorsOf(findings) },
    DATA_RULE,
    'Check your answer against each finding: correct what it is right about, and rebut it where it is wrong. That a reviewer says so does not make it right.',
    'Begin with one line for each finding, for the service, in these English words: "FINDING 1: fixed", or "FINDING 1: rebutted (why it is wrong)". If you fixed none, stop there. Otherwise write the whole corrected answer below those lines.',
    WORKING_WORDS,
  ];
}

function defendedVersions(versions: readonly (Defender & Labelled)[], mask: (text: string) => string): PromptBlock[] {
  return [
    `${versions.length === 1 ? 'An answer' : `${versions.length} answers`} to the user's message, by anonymous authors, after attack and correction:`,
    ...versions.flatMap(({ label, text, findings, responses, seat: { id: by } }) => {
      const found = findings.map(findingText).map(mask).join('\n');
      const notes = [
        { title: `last findings in ${label}`, text: found, minor: true, by: authorsOf(findings) },
        { title: `responses of ${label}`, text: mask(responses), minor: true, by },
      ];
      return [{ title: label, text, by }, ...notes.filter((note) => note.text !== '')];
    }),
  ];
}

function authorsOf(findings: readonly FindingOfSeat[]): string[] {
  return [...new Set(findings.map(({ by }) => by))];
}

/** Form of the arbiter's analysis of defended answers. @internal */
export const VERSION_ANALYSIS: AnalysisForm = {
  ranked: true,
  parts: [
    { key: 'fixed', title: 'Fixed', ask: 'findings that were corrected' },
    { key: 'rebutted', title: 'Rebutted', ask: 'findings that were wrong, and why' },
    { key: 'residual', title: 'Residual risks', ask: 'what stays open or risky' },
    MISSING,
  ],
};

const VERSION_ANSWER_TASK = [
  'Give the one answer that stands up best: the best version, or what is best in each. Judge every open finding yourself, and do not bring back what was corrected. Add what all of them miss. Code, verse and other texts of one voice: repair the best version, do not mix several.',
];
