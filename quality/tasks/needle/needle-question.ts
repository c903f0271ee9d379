import type { Question } from '../question.ts';
import { readNumber } from '../reading/read-number.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Difficulty } from '../task.ts';

const TREES = [
  ...['Alder', 'Ash', 'Aspen', 'Beech', 'Birch', 'Cedar', 'Cherry', 'Chestnut', 'Cypress', 'Elder', 'Elm', 'Fir'],
  ...['Hawthorn', 'Hazel', 'Holly', 'Juniper', 'Larch', 'Laurel', 'Lime', 'Maple', 'Oak', 'Olive', 'Pear', 'Pine'],
  ...['Plane', 'Poplar', 'Rowan', 'Spruce', 'Sycamore', 'Walnut', 'Willow', 'Yew'],
] as const;
const PLACES = ['depot', 'station', 'archive', 'workshop'] as const;
const CARE = [
  'was painted two years ago and has been quiet since',
  'is closed on the first Monday of a month',
  'takes deliveries through the gate on the north side',
  'has a roof that is looked after by the town',
  'was moved from the other side of the river',
  'keeps its records on paper and on film',
  'lost its sign in a storm, and has a new one',
  'shares its heating with the school next to it',
] as const;
/** Paragraphs, by difficulty: some 1,000, 3,000 and 7,000 words. */
const PARAGRAPHS: Readonly<Record<Difficulty, number>> = { 1: 25, 2: 75, 3: 128 };

/** A long report in which one sentence holds what is asked for, among many of its kind. */
export function needleQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  const sites = random.sample(
    TREES.flatMap((tree) => PLACES.map((place) => ({ tree, place }))),
    PARAGRAPHS[difficulty],
  );
  const codes = random.sample(
    Array.from({ length: 9_000 }, (_, at) => 1_000 + at),
    sites.length,
  );
  const asked = random.between(Math.floor(sites.length / 4), Math.floor((3 * sites.length) / 4));
  const name = (at: number): string => `${sites[at]?.tree} ${sites[at]?.place}`;
  // The hardest has two steps: the code is that of another site, which is named.
  const source = difficulty === 3 ? (asked + 7) % sites.length : asked;
  const paragraphs = sites.map((_, at) => {
    const isLink = at === asked && source !== asked;
    const code = isLink
      ? `Since the spring its door has had the same code as the ${name(source)}.`
      : `Its door opens with the code ${codes[at]}.`;
    return [
      `The ${name(at)} ${random.pick(CARE)}.`,
      `It holds ${random.between(20, 900)} crates, and ${random.between(2, 40)} people have been there this year.`,
      code,
      `The last inspection found ${random.between(0, 9)} things to mend and took ${random.between(1, 9)} hours.`,
    ].join(' ');
  });
  const right = String(codes[source]);
  const wrong = [asked + 1, asked - 1, source + 1].map((at) => String(codes[at % sites.length]));
  return {
    text: `Below is a report.\n\n${paragraphs.join('\n\n')}\n\nThat was the report. With which code does the door of the ${name(asked)} open?`,
    form: 'the code, four digits',
    right,
    wrong: [...new Set(wrong)].filter((value) => value !== right),
    read: (value) => readNumber(value, ['code', 'door', 'opens', 'with']),
  };
}
