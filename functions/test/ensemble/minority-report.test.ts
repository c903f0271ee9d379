import { createHash } from 'node:crypto';
import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import type { CallPurpose, ProviderCall } from '../../src/models/model';
import { askedOf, type Play, type Played, playRun, requestId, shownTo, UMPIRE } from '../support/played-run';
import { failing, type Script, type ScriptedReply } from '../support/scripted-models';

/**
 * A fact that one participant alone knows reaches the author of the answer, and the explanation, whatever the others say: in
 * every run of the strategies that promise it (docs/strategies.md).
 */

const FACT = 'FACT-7: a court ruled it a vegetable in 1893.';
const ERROR = 'No court has ever ruled on it.';
const RUNS = 100;

/** Behaviour of the participant who knows, after its first text. */
type Holder = 'stands by it' | 'gives in' | 'fails';

/** Makes choices for one run; the same seed and name make the same one. */
type Draw = (name: string, below: number) => number;

function drawFor(seed: string): Draw {
  return (name, below) => createHash('sha256').update(`${seed}\n${name}`).digest().readUInt32BE(0) % below;
}

/** Everything that may vary in a run. */
interface Plot {
  readonly strategy: StrategyName;
  readonly holder: Holder;
  readonly n: number;
  readonly seat: number;
  readonly rounds: number;
  readonly draw: Draw;
}

/** Ends of a participant's text, well-behaved or not. */
const ENDINGS = [
  '',
  'REVISION: kept',
  'REVISION: changed; BALLOT: A > B > C',
  'DISSENT: none',
  'DISSENT: new',
  'STANCE: holds',
  'STANCE: concedes',
  'CHECK: verified\nANSWER: fruit',
  'CHECK: step 1: it is wrong\nANSWER: vegetable',
];

/** The arbiter who reports what it finds: every exhibit that holds the fact, in the list for lone views. */
function faithfulAnalysis(call: ProviderCall): ScriptedReply {
  const asked = askedOf(call);
  const list = ['dissent', 'residual', 'missing'].find((key) => asked.includes(`"${key}": `)) ?? 'dissent';
  const found = shownTo(call).filter(({ text }) => text.includes(FACT));
  const lines = found.map(({ title }) => `Answer ${title} alone says: ${FACT}`);
  const winner = asked.includes('"winner"') ? { winner: 'A' } : {};
  return { text: JSON.stringify({ ...winner, [list]: lines, rationale: 'Most say otherwise.' }) };
}

/** Findings for a red team: its own, or none at all. */
function attackReply(knows: boolean, choice: number): string {
  const why = knows ? FACT : ERROR;
  const severity = choice % 2 === 0 ? 'major' : 'minor';
  if (!knows && choice === 0) return '{"findings": []}';
  return choice === 1 ? why : JSON.stringify({ findings: [{ target: 'A', severity, why }] });
}

function reviewReply(choice: number): string {
  const defects = [{ item: choice + 1, severity: 'major', defect: 'Say more.' }];
  return choice === 0 ? '{"verdict": "approve", "defects": []}' : JSON.stringify({ verdict: 'revise', defects });
}

/** One call as the script sees it. */
interface Cue {
  readonly call: ProviderCall;
  readonly knows: boolean;
  /** Number of texts of this model, this one included. */
  readonly nth: number;
  readonly choice: number;
}

const PARTS: Partial<Record<CallPurpose, (cue: Cue) => ScriptedReply>> = {
  analyse: ({ call }) => faithfulAnalysis(call),
  plan: ({ choice }) => ({ text: choice < 3 ? 'Let us begin.' : SIX_ITEMS }),
  review: ({ choice }) => ({ text: reviewReply(choice % 3) }),
  attack: ({ knows, choice }) => ({ text: attackReply(knows, choice % 4) }),
};

/** A draft or a revision. The others never mention the fact, also when they have read it. */
function speech({ knows, nth, choice }: Cue, holder: Holder): ScriptedReply {
  if (knows && nth > 1 && holder === 'fails') return failing('server');
  const fact = knows && (nth === 1 || holder === 'stands by it') ? FACT : ERROR;
  const ending = ENDINGS[choice] ?? '';
  // Whoever gives in does not say that it keeps its text.
  const said = holder === 'gives in' ? ending.replace('kept', 'changed') : ending;
  return { text: `1. ${fact}\n2. So it is, in text ${nth}.\n${said}` };
}

function plotScript({ seat, holder, draw }: Plot): Script {
  const said = new Map<string, number>();
  return (call) => {
    const { providerModel: model, purpose } = call;
    const nth = (said.get(model) ?? 0) + 1;
    said.set(model, nth);
    const choice = draw(`${model} ${purpose} ${nth}`, ENDINGS.length);
    const cue: Cue = { call, knows: model === modelAt(seat), nth, choice };
    const part = PARTS[purpose];
    if (part) return part(cue);
    return model === UMPIRE ? { text: 'An answer.' } : speech(cue, holder);
  };
}

const SIX_ITEMS = JSON.stringify({ items: Array.from({ length: 6 }, (_, index) => `Item ${index + 1}`) });

function modelAt(seat: number): string {
  return `model-${seat}`;
}

function playOf(plot: Plot, seed: string): Play {
  const { strategy, n, rounds } = plot;
  const models = Array.from({ length: n }, (_, seat) => modelAt(seat));
  return { id: requestId(seed), strategy, models, rounds, script: plotScript(plot) };
}

/** Reports if the author of the answer was shown the fact in the participants' own words, and if people read of it. */
function reportOf({ calls, explanation }: Played): { input: boolean; explanation: boolean } {
  const answer = calls.find(({ purpose }) => purpose === 'answer');
  const material = answer ? shownTo(answer).filter(({ title }) => !/^(?:analysis|reading )/.test(title)) : [];
  return { input: material.some(({ text }) => text.includes(FACT)), explanation: explanation.includes(FACT) };
}

/** A debate that one side gives up is not judged: then the explanation says that alone. */
function endedByConcession({ calls, explanation }: Played): boolean {
  const isJudged = calls.some(({ purpose }) => purpose === 'analyse');
  return (
    !isJudged && /The (?:proposition|opposition) wins: the (?:proposition|opposition) concedes\./.test(explanation)
  );
}

/** Seats that may hold the fact: those who write what the arbiter reads. */
const ANYBODY = (n: number): number[] => Array.from({ length: n }, (_, seat) => seat);
const IMPLEMENTERS = (n: number): number[] => (n < 3 ? [n - 1] : ANYBODY(n).slice(1, -1));
const BLUE = (n: number): number[] => ANYBODY(n).filter((seat) => seat % 2 === 0);
const RED = (n: number): number[] => ANYBODY(n).filter((seat) => seat % 2 === 1);

const HOLDERS: readonly Holder[] = ['stands by it', 'fails'];
const WHOLE_TEXTS: readonly StrategyName[] = [
  ...(['competitive_refinement', 'collaborative_synthesis', 'expert_panel'] as const),
  ...(['debate_tournament', 'chain_of_thought'] as const),
];
const PROMISES: readonly { strategy: StrategyName; holder: Holder; who: string; seats: (n: number) => number[] }[] = [
  ...HOLDERS.flatMap((holder) => [
    ...WHOLE_TEXTS.map((strategy) => ({ strategy, holder, who: 'anybody', seats: ANYBODY })),
    { strategy: 'hierarchical' as const, holder, who: 'an implementer', seats: IMPLEMENTERS },
    { strategy: 'red_team_blue_team' as const, holder, who: 'a blue', seats: BLUE },
  ]),
  { strategy: 'red_team_blue_team', holder: 'stands by it', who: 'a red', seats: RED },
];

describe('a fact that one participant alone knows', () => {
  it.each(PROMISES)(
    `$strategy: reaches answer and explanation in ${RUNS} of ${RUNS} runs when $who holds it and $holder`,
    async ({ strategy, holder, who, seats }) => {
      const kept = { input: 0, explanation: 0 };
      let conceded = 0;
      const drawn = new Set<string>();
      for (let run = 0; run < RUNS; run += 1) {
        const seed = `${strategy} ${holder} ${who} ${run}`;
        const draw = drawFor(seed);
        const n = 2 + draw('n', 5);
        const holders = seats(n);
        const seat = holders[draw('seat', holders.length)] ?? 0;
        const rounds = 1 + draw('rounds', 4);
        drawn.add(`${n} ${seat} ${rounds}`);
        const played = await playRun(playOf({ strategy, holder, n, seat, rounds, draw }, seed));
        const report = reportOf(played);
        if (report.input) kept.input += 1;
        if (report.explanation) kept.explanation += 1;
        else if (endedByConcession(played)) conceded += 1;
      }
      expect(kept).toEqual({ input: RUNS, explanation: RUNS - conceded });
      expect(conceded).toBeLessThan(RUNS / 5);
      expect(drawn.size).toBeGreaterThan(20);
    },
  );

  it.each(WHOLE_TEXTS)('%s: is lost when its holder gives in and nobody has taken it over', async (strategy) => {
    for (let run = 0; run < 20; run += 1) {
      const draw = drawFor(`lost ${strategy} ${run}`);
      const plot: Plot = { strategy, holder: 'gives in', n: 4, seat: draw('seat', 4), rounds: 2, draw };
      expect(reportOf(await playRun(playOf(plot, `${run}`)))).toEqual({ input: false, explanation: false });
    }
  });
});
