import type { EnsembleRequest, Run } from '../run';
import { type Analysis, type AnalysisForm, MARKS } from './analysis';
import { headingsFor } from './headings';

/** A part of the explanation: lines under a heading, or paragraphs without one, after the winner's name. */
export interface Section {
  readonly title?: string;
  readonly lines: readonly string[];
  readonly winner?: string;
}

/** An analysis as people read it: labels turned back into names. */
export function explain(analysis: Analysis, form: AnalysisForm, names: ReadonlyMap<string, string>): Section[] {
  const winner = analysis.winner === null ? undefined : names.get(analysis.winner);
  const rationale = withNames(analysis.rationale, names);
  return [
    { ...(winner !== undefined && { winner }), lines: rationale === '' ? [] : [rationale] },
    ...form.parts.map(({ key, title }) => ({
      title,
      lines: (analysis.lists[key] ?? []).map((line) => withNames(line, names)),
    })),
  ];
}

/** Labels → names where a label stands as one: "candidate B", "(B)", "B:", "[B]"; not in "A tomato is…", "vitamin C". */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(MARKED, (whole, _noun, afterNoun, open, bracketed, close, leading, at: number) => {
    const name = names.get(afterNoun ?? bracketed ?? leading);
    if (name === undefined) return whole;
    return open === undefined ? inSentence(name, text.slice(Math.max(0, at - 2), at)) : `${open}${name}${close}`;
  });
}

/** “the proposition” begins a sentence with a capital; names of models are written as they are. */
function inSentence(name: string, before: string): string {
  return /(?:^|[.!?]\s|\n)$/.test(before) ? name.replace(/^the /, 'The ') : name;
}

/** The explanation as the client gets it, if it is wanted; last comes what has gone wrong on the way. */
export async function explanationText({ request, degraded }: Explained, sections: readonly Section[]): Promise<string> {
  if (!request.includeExplanation || sections.length === 0) return '';
  const inLanguage = await headingsFor(request.message);
  const texts = [...sections, { title: 'This run', lines: degraded }].map(({ title, lines, winner }: Section) => {
    const best = winner === undefined ? [] : [`${inLanguage('Strongest answer')}: ${winner}.`];
    if (title === undefined || lines.length === 0) return [...best, ...lines].join('\n\n');
    const points = lines.map((line) => bulletPoint(line.replace(MARK_AT_END, (mark) => inLanguage(mark))));
    return `${inLanguage(title)}:\n${points.join('\n')}`;
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

type Explained = Pick<Run, 'degraded'> & { readonly request: Pick<EnsembleRequest, 'includeExplanation' | 'message'> };
const MARK_AT_END = new RegExp(`(?<= — )(?:${MARKS.join('|')})$`);

/** Further lines are indented: no text can start a section of its own. */
function bulletPoint(text: string): string {
  const lines = text.split(/[\n-\r\u0085\u2028\u2029]/).map((line) => line.trim());
  return `- ${lines.filter((line) => line !== '').join('\n  ')}`;
}

const NOUNS =
  'candidates?|answers?|drafts?|contributions?|opinions?|experts?|parts?|chains?|solutions?|versions?|sides?|statements?';
const LABEL = '[A-Z]{1,2}\\d{0,2}';
const MARKED = new RegExp(
  `\\b((?:${NOUNS.replaceAll(/\b([a-z])/g, (letter) => `[${letter.toUpperCase()}${letter}]`)})) (${LABEL})\\b` +
    `|([([（［])(${LABEL})([)\\]）］])|^(${LABEL})(?=\\s*[:,>—]|\\s+-|$)`,
  'gm',
);
