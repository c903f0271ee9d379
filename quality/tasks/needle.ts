import type { Question } from './answer-line-task.ts';
import { readNumber } from './reading/read-number.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Difficulty } from './task.ts';

const TREES = [
  ...['Alder', 'Ash', 'Aspen', 'Beech', 'Birch', 'Cedar', 'Cherry', 'Chestnut', 'Cypress', 'Elder', 'Elm', 'Fir'],
  ...['Hawthorn', 'Hazel', 'Holly', 'Juniper', 'Larch', 'Laurel', 'Lime', 'Maple', 'Oak', 'Olive', 'Pear', 'Pine'],
  ...['Plane', 'Poplar', 'Rowan', 'Spruce', 'Sycamore', 'Walnut', 'Willow', 'Yew'],
] as const;
const PLACES = ['depot', 'station', 'archive', 'workshop'] as const;
const SITES = TREES.flatMap((tree) => PLACES.map((place) => `${tree} ${place}`));
const CODES = Array.from({ length: 9_000 }, (_, at) => 1_000 + at);
const CARE = [
  'was painted two years ago and has been quiet since',
  'is closed on the first Monday of a month',
  'takes deliveries through the gate on the north side',
  'was moved from the other side of the river',
  'lost its sign in a storm, and has a new one',
  'shares its heating with the school next to it',
] as const;
/** Paragraphs, by difficulty: some 1,000, 3,000 and 6,000 words. */
const PARAGRAPHS: Readonly<Record<Difficulty, number>> = { 1: 25, 2: 75, 3: 128 };

/** A long report in which one sentence holds what is asked for, among many of its kind. */
export function needleQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  const sites = random.sample(SITES, PARAGRAPHS[difficulty]);
  const codes = random.sample(CODES, sites.length);
  const asked = random.between(Math.floor(sites.length / 4), Math.floor((3 * sites.length) / 4));
  // The hardest has two steps: the code is that of another site, which is named.
  const source = difficulty === 3 ? (asked + 7) % sites.length : asked;
  const link = `Since the spring its door has had the same code as the ${sites[source]}.`;
  const paragraphs = sites.map((site, at) =>
    [
      `The ${site} ${random.pick(CARE)}.`,
      `It holds ${random.between(20, 900)} crates, and ${random.between(2, 40)} people have been there this year.`,
      at === asked && source !== asked ? link : `Its door opens with the code ${codes[at]}.`,
      `The last inspection found ${random.between(0, 9)} things to mend and took ${random.between(1, 9)} hours.`,
    ].join(' '),
  );
  const right = String(codes[source]);
  const wrong = [asked + 1, asked - 1, source + 1].map((at) => String(codes[at % sites.length]));
  return {
    text: `Below is a report.\n\n${paragraphs.join('\n\n')}\n\nThat was the report. With which code does the door of the ${sites[asked]} open?`,
    form: 'the code, four digits',
    right,
    wrong: [...new Set(wrong)].filter((value) => value !== right),
    read: (value) => readNumber(value, ['code', 'door', 'opens', 'with']),
  };
}
