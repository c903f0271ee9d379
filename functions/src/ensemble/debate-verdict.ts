import type { Analysis } from './analysis';
import { shuffled } from './anonymise';
import { analyse, type Ruling } from './arbiter';
import { conversationOf } from './conversation';
import { degrade } from './degrade';
import { explain, withNames } from './explanation';
import type { Seat } from './panel';
import { analysisPrompt } from './prompts/arbiter';
import { casesForVerdict, VERDICT } from './prompts/debate-tournament';
import type { Run } from './run';
import type { Exhibit } from './sheet';

/** The two sides of a debate. */
export type Side = 'proposition' | 'opposition';

/** What somebody last said for a side. */
export interface Statement {
  readonly seat: Seat;
  readonly side: Side;
  readonly text: string;
}

/** A ruling in both orders: a side wins only if it wins when shown first and when shown second (2305.17926). */
export interface DebateRuling extends Ruling {
  readonly winner: Side | undefined;
}

/** One reading: what was found, and how its labels read. */
interface Reading {
  readonly first: Side;
  readonly winner: Side | undefined;
  readonly analysis: Analysis;
  readonly names: ReadonlyMap<string, string>;
}

/** Lets the arbiter judge the debate twice at once, each side shown first once. Calls: 2. */
export async function judgeDebate(run: Run, statements: readonly Statement[]): Promise<DebateRuling> {
  const { arbiter } = run.request.panel;
  run.emit({ type: 'status', text: `${arbiter.label} is judging the debate, once in each order` });
  const readings = await Promise.all([
    readCases(run, statements, 'proposition'),
    readCases(run, statements, 'opposition'),
  ]);
  const [one, other] = readings;
  const winner = one?.winner !== undefined && one.winner === other?.winner ? one.winner : undefined;
  const readable = readings.filter((reading) => reading !== undefined);
  if (readable.length < 2)
    degrade(run, `No verdict in both orders: ${arbiter.label} did not give two that could be read`);
  return {
    winner,
    brief: [ruled(winner), ...readable.map(briefOf)],
    sections: [{ lines: [verdictWords(readable, winner)] }, ...sectionsOf(readable, winner)],
  };
}

async function readCases(run: Run, statements: readonly Statement[], first: Side): Promise<Reading | undefined> {
  const second = first === 'proposition' ? 'opposition' : 'proposition';
  const key = { requestId: run.id, reader: 'arbiter', step: `verdict.${first}` };
  const order = shuffled(statements, key);
  const a = labelled(run, order, { side: first, label: 'A' });
  const b = labelled(run, order, { side: second, label: 'B' });
  const sheet = analysisPrompt(conversationOf(run), {
    system: run.request.systemPrompt,
    material: casesForVerdict(a.exhibits, b.exhibits),
    form: VERDICT,
  });
  const repair = run.request.includeExplanation;
  const analysis = await analyse(run, { callId: `verdict.${first}`, sheet, form: VERDICT, repair });
  if (!analysis) return undefined;
  const winner = sideOf(analysis.winner, { A: first, B: second });
  return { first, winner, analysis, names: new Map([...a.names, ...b.names]) };
}

/** A bare letter, `A2` or `Side A`: the side is its first letter. */
function sideOf(winner: string | null, sides: Readonly<Record<'A' | 'B', Side>>): Side | undefined {
  const letter = /^(?:side\s+)?([AB])\d*$/i.exec(winner ?? '')?.[1]?.toUpperCase();
  return letter === 'A' || letter === 'B' ? sides[letter] : undefined;
}

interface Labelling {
  readonly side: Side;
  readonly label: string;
}

/** One side's statements: A, or A1, A2, … where it has several speakers. */
function labelled(run: Run, statements: readonly Statement[], { side, label }: Labelling) {
  const own = statements.filter((statement) => statement.side === side);
  const alone = run.request.panel.participants.length === 1;
  const exhibits: Exhibit[] = [];
  const names = new Map([[label, `the ${side}`]]);
  for (const [index, { seat, text }] of own.entries()) {
    const title = own.length === 1 ? label : `${label}${index + 1}`;
    exhibits.push({ title, text: run.mask(text) });
    names.set(title, alone ? `the ${side}` : `the ${side} (${seat.label})`);
  }
  return { exhibits, names };
}

function ruled(winner: Side | undefined): string {
  return winner === undefined
    ? 'Judged in both orders, the debate has no winner.'
    : `Judged in both orders, the ${winner} won each time.`;
}

/** For the author of the answer: sides by name, no models. */
function briefOf({ first, analysis, names }: Reading): Exhibit {
  const sides = new Map([...names].map(([label, name]) => [label, name.replace(/ \(.*\)$/s, '')]));
  const words = Object.values(analysis.lists).flat();
  const text = [analysis.rationale, ...words].map((line) => withNames(line, sides)).join('\n');
  return { title: `reading with the ${first} first`, text };
}

function verdictWords(readings: readonly Reading[], winner: Side | undefined): string {
  if (winner !== undefined) return `The ${winner} wins: in both orders of presentation the verdict was the same.`;
  if (readings.length < 2) return 'Split: there is no verdict in both orders of presentation.';
  return 'Split: neither side won in both orders of presentation.';
}

/** One analysis where both agree; else the reasons of each. */
function sectionsOf(readings: readonly Reading[], winner: Side | undefined): Ruling['sections'] {
  const [reading] = readings;
  if (winner !== undefined && reading) {
    return explain({ ...reading.analysis, winner: null }, VERDICT, reading.names);
  }
  return readings.map(({ first, analysis, names }) => ({
    title: `Read with the ${first} first`,
    lines: [analysis.rationale, ...Object.values(analysis.lists).flat()]
      .filter((line) => line !== '')
      .map((line) => withNames(line, names)),
  }));
}
