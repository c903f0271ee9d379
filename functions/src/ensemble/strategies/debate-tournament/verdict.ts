import { anySignal } from '../../../lib/any-signal';
import { labelledText, shuffled } from '../../../prompting/blind-labels';
import { allOrStop } from '../../../runs/run-context';
import { type Agreement, verdictsAgree } from '../../agreement/agreement';
import { analyse, type Ruling, readingQuestion } from '../../arbiter/conclude';
import { explain, withNames } from '../../arbiter/explanation';
import { toldAnalysis } from '../../arbiter/told-analysis';
import { shownText } from '../../panel/contributors';
import { noteDegraded, type Run } from '../../run';
import { casesForVerdict, SIDES, type Side, type Speaker, VERDICT } from './prompts';

/** A ruling in both orders: a side wins only if it wins when shown first and when shown second (arXiv 2305.17926). */
export interface DebateRuling extends Ruling {
  readonly winner: Side | undefined;
  /** Agreement of both readings; absent where one of them found nothing that could be read. */
  readonly agreement?: Agreement;
}

function otherThan(side: Side): Side {
  return side === 'proposition' ? 'opposition' : 'proposition';
}

/** Ruling after a concession: the other side has won, and the arbiter need not judge. Calls: none. */
export function concededDebate(loser: Side): DebateRuling {
  const winner = otherThan(loser);
  return {
    winner,
    agreement: { share: 1, measuredOn: 'verdicts', words: `The ${loser} concedes: nothing was left to judge.` },
    brief: [`The ${loser} has conceded that the ${winner} is right on what matters.`],
    sections: [{ lines: [`The ${winner} wins: the ${loser} concedes.`] }],
  };
}

/** Lets the arbiter judge twice at once, each side shown first once; undefined where caps do not allow for it. Calls: 2. */
export async function judgeDebate(run: Run, speakers: readonly Speaker[]): Promise<DebateRuling | undefined> {
  const { arbiter } = run.request.panel;
  const cases = SIDES.map((first) => caseRead(run, speakers, first));
  const flaw = run.budget.admit(cases.map(({ asked }) => asked));
  if (flaw !== undefined) {
    noteDegraded(run, `No verdict: ${flaw}`);
    return undefined;
  }
  run.sink.status(`${arbiter.label} is judging the debate, once in each order`);
  const stop = new AbortController();
  const judged = { ...run, signal: anySignal(run.signal, stop.signal) };
  const read = await allOrStop(
    cases.map((each) => readCase(judged, each)),
    () => stop.abort(),
  );
  const readings = read.filter((reading) => reading !== undefined);
  const [one, other] = readings;
  if (one && other) {
    const winner = one.winner === other.winner ? one.winner : undefined;
    const agreement = verdictsAgree([one.winner, other.winner]);
    const { analysis, names } = one;
    const told = winner && toldAnalysis(analysis, VERDICT, { names, candidates: new Map() });
    const words = { brief: briefOf(readings, winner), sections: sectionsOf(readings, winner) };
    return { winner, agreement, ...words, analysis: told };
  }
  noteDegraded(run, `No verdict in both orders: ${arbiter.label} did not give two that could be read`);
  return { winner: undefined, brief: briefOf(readings, undefined), sections: sectionsOf(readings, undefined) };
}

/** Both cases as one reading is shown them: a side's statements are A, or A1, A2, … where it has several speakers. */
function caseRead(run: Run, speakers: readonly Speaker[], first: Side) {
  const callId = `verdict.${first}`;
  const order = shuffled(speakers, { requestId: run.id, reader: 'arbiter', step: callId });
  const isAlone = run.request.panel.participants.length === 1;
  const names = new Map([
    ['A', `the ${first}`],
    ['B', `the ${otherThan(first)}`],
  ]);
  const caseOf = (side: Side, letter: string) => {
    const own = order.filter(({ part }) => part === side);
    return own.map((speaker, index) => {
      const label = own.length === 1 ? letter : `${letter}${index + 1}`;
      names.set(label, isAlone ? `the ${side}` : `the ${side} (${speaker.seat.label})`);
      return labelledText({ label, text: shownText(run, speaker), seat: speaker.seat });
    });
  };
  const material = casesForVerdict(caseOf(first, 'A'), caseOf(otherThan(first), 'B'));
  const task = { callId, material, form: VERDICT, repair: run.request.includeExplanation };
  return { first, names, task, asked: readingQuestion(run, task) } as const;
}

async function readCase(run: Run, { first, names, task, asked }: ReturnType<typeof caseRead>) {
  const analysis = await analyse(run, asked, task);
  if (!analysis) return undefined;
  // A bare letter, `A2` or `Side A`: the side is its first letter.
  const letter = /^(?:side\s+)?([AB])\d*$/i.exec(analysis.winner ?? '')?.[1]?.toUpperCase();
  const winner = letter === undefined ? undefined : letter === 'A' ? first : otherThan(first);
  return { first, winner, analysis, names };
}

type Reading = NonNullable<Awaited<ReturnType<typeof readCase>>>;

function linesOf({ analysis: { rationale, lists } }: Reading, names: ReadonlyMap<string, string>): string[] {
  return [rationale, ...Object.values(lists).flat()].map((line) => withNames(line, names));
}

/** For the author of the answer: sides by name, no models. */
function briefOf(readings: readonly Reading[], winner: Side | undefined): Ruling['brief'] {
  return [
    winner === undefined
      ? 'Judged in both orders, the debate has no winner.'
      : `Judged in both orders, the ${winner} won each time.`,
    ...readings.map((reading) => {
      const sides = new Map([...reading.names].map(([label, name]) => [label, name.replace(/ \(.*\)$/s, '')]));
      const text = linesOf(reading, sides).join('\n');
      return { title: `reading with the ${reading.first} first`, text, by: 'arbiter' };
    }),
  ];
}

/** The verdict, then one analysis where both agree; else the reasons of each. */
function sectionsOf(readings: readonly Reading[], winner: Side | undefined): Ruling['sections'] {
  const [reading] = readings;
  if (winner !== undefined && reading) {
    const words = `The ${winner} wins: in both orders of presentation the verdict was the same.`;
    return [{ lines: [words] }, ...explain({ ...reading.analysis, winner: null }, VERDICT, reading.names)];
  }
  const words = readings.length < 2 ? 'there is no verdict in both orders' : 'neither side won in both orders';
  const reasons = readings.map((each) => ({
    title: `Read with the ${each.first} first`,
    lines: linesOf(each, each.names).filter((line) => line !== ''),
  }));
  return [{ lines: [`Split: ${words} of presentation.`] }, ...reasons];
}
