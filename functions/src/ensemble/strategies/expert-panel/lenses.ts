import { type OutputSchema, strictObject } from '../../../models/model';
import { itemsOf, listInReply } from '../../../prompting/json-in-reply';

export interface Lens {
  readonly name: string;
  readonly focus: string;
}

/** The points of view when the arbiter chooses none: one lens for each of 16 experts. */
export const STANDARD_LENSES: readonly Lens[] = [
  { name: 'Domain expert', focus: 'What the established knowledge of the field says, precisely.' },
  { name: 'Sceptic', focus: 'Which claims do not hold up, and what evidence is missing.' },
  { name: 'Practitioner', focus: 'What works in practice, and what it takes.' },
  { name: 'User advocate', focus: 'What the person asking really needs, and what could mislead them.' },
  { name: 'Risk analyst', focus: 'What can go wrong, how likely and how costly that is.' },
  { name: 'Economist', focus: 'Costs, incentives and trade-offs.' },
  { name: 'Historian', focus: 'How comparable cases went, and what changed since.' },
  { name: 'Systems thinker', focus: 'Causes, feedback and side effects beyond the immediate question.' },
  { name: 'Statistician', focus: 'Numbers, base rates and uncertainty.' },
  { name: 'Ethicist', focus: 'Who is affected, and what is fair to them.' },
  { name: 'Teacher', focus: 'What has to be understood first, explained simply.' },
  { name: 'Engineer', focus: 'How it is built, tested and kept running.' },
  { name: 'Legal reader', focus: 'Rules, duties and liabilities that apply.' },
  { name: 'Innovator', focus: 'Better options nobody has named.' },
  { name: 'Critic of language', focus: 'Ambiguity, and terms used in several senses.' },
  { name: 'Decision maker', focus: 'What to do now, and what would change the decision.' },
];

export const LENSES_SCHEMA: OutputSchema = {
  name: 'lenses',
  schema: strictObject({
    lenses: { type: 'array', items: strictObject({ name: { type: 'string' }, focus: { type: 'string' } }) },
  }),
};

const NAME_MAX = 60;
const FOCUS_MAX = 300;

/** Different lenses, one for each expert: the arbiter's, then standard ones. Empty when its reply names none. */
export function parseLenses(reply: string, count: number): Lens[] {
  const listed = listInReply(reply, { list: 'lenses', items: ['name'] })?.['lenses'];
  const chosen = (itemsOf(listed, ['name', 'focus'], 'name') ?? []).map(tidy).filter(({ name }) => name !== '');
  if (chosen.length === 0) return [];
  const byName = Map.groupBy([...chosen, ...STANDARD_LENSES], ({ name }) => name.toLowerCase());
  return [...byName.values()].flatMap(([first]) => first ?? []).slice(0, count);
}

/** Names become titles of fences: one line, no angle brackets. */
function tidy({ name, focus }: Lens): Lens {
  return { name: oneLine(name, NAME_MAX), focus: oneLine(focus, FOCUS_MAX) || 'What it shows.' };
}

function oneLine(text: string, max: number): string {
  return text
    .replace(/[\s<>\p{C}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/\p{Cs}$/u, '')
    .trim();
}
