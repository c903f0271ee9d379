import type { Analysis } from './analysis';
import type { ArbiterCandidate } from './prompts';
import type { Run } from './run';

/** The explanation shown to the user: the arbiter's analysis with labels turned back into names, and what went wrong. */
export function explain(run: Run, candidates: readonly ArbiterCandidate[], analysis: Analysis): string {
  const names = new Map(candidates.map(({ label, seat }) => [label, seat.label]));
  const name = (text: string): string => withNames(text, names);
  const winner = analysis.winner === null ? undefined : names.get(analysis.winner.trim());
  const parts = [
    winner === undefined ? '' : `Strongest answer: ${winner}.`,
    name(analysis.rationale).trim(),
    section('Agreed', analysis.agreements.map(name)),
    section(
      'Conflicts',
      analysis.conflicts.map(({ point, ruling }) => `${name(point)} — ${name(ruling)}`),
    ),
    section('Only one candidate', analysis.unique.map(name)),
    section('Dissent', analysis.dissent.map(name)),
    section('This run', run.notes),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/**
 * Labels → names where a label stands as one: "candidate B", "(B)", "B:", "[B]", or a whole item. A bare capital in
 * running text ("A tomato is…", "vitamin C") is left alone.
 */
function withNames(text: string, names: ReadonlyMap<string, string>): string {
  const marked =
    /\b([Cc]andidates?|[Aa]nswers?|[Dd]rafts?) ([A-Z]{1,2})\b|([([])([A-Z]{1,2})([)\]])|^([A-Z]{1,2})(?=\s*[:,>—-]|$)/gm;
  return text.replace(marked, (whole, noun, afterNoun, open, bracketed, close, leading) => {
    const name = names.get(afterNoun ?? bracketed ?? leading);
    if (name === undefined) return whole;
    if (noun !== undefined) return name;
    return open === undefined ? name : `${open}${name}${close}`;
  });
}
