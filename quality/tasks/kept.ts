import type { SeededRandom } from './seeded-random.ts';
import type { Difficulty, Documents, Task, TaskMaker } from './task.ts';

const SITES = [
  ...['Alder', 'Aspen', 'Birch', 'Cedar', 'Hazel', 'Juniper', 'Larch', 'Maple', 'Rowan', 'Sycamore', 'Willow', 'Yew'],
].flatMap((tree) => ['depot', 'station', 'archive', 'workshop'].map((place) => `${tree} ${place}`));
const NAMES = [
  ...['Abelsen', 'Brandvold', 'Castellan', 'Drummond', 'Eskildsen', 'Farquhar', 'Gallego', 'Hartwig', 'Ivarsson'],
  ...['Kowalczyk', 'Lindqvist', 'Montague', 'Okonjo', 'Pellegrin', 'Quispe', 'Rasmussen', 'Szabo', 'Tremblay'],
];
const FIRMS = ['Ambrex', 'Borealis', 'Corvance', 'Delphor', 'Ekotrans', 'Fennmark', 'Gildera', 'Halvorix', 'Jantero'];
const WORDS = ['lantern', 'anchor', 'meadow', 'saddle', 'thimble', 'orchard', 'pebble', 'trumpet', 'walnut', 'compass'];
const COLOURS = ['green', 'blue', 'yellow', 'grey', 'brown', 'white'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

/** A thing to know about a site; `isSecret` if nobody could guess its value. */
interface Field {
  readonly label: string;
  readonly isSecret: boolean;
  value(random: SeededRandom): string;
}

const FIELDS: readonly Field[] = [
  { label: 'Code of the door', isSecret: true, value: (random) => String(random.between(2_100, 9_899)) },
  { label: 'Telephone extension', isSecret: true, value: (random) => String(random.between(500, 899)) },
  { label: 'Word that ends an alarm', isSecret: true, value: (random) => random.pick(WORDS) },
  { label: 'Holder of the spare key', isSecret: true, value: (random) => random.pick(NAMES) },
  { label: 'Supplier of the heating', isSecret: true, value: (random) => random.pick(FIRMS) },
  { label: 'Number of crates', isSecret: false, value: (random) => String(random.between(110, 490)) },
  { label: 'Day of the inspection', isSecret: false, value: (random) => random.pick(DAYS) },
  { label: 'Colour of the gate', isSecret: false, value: (random) => random.pick(COLOURS) },
  { label: 'Built in', isSecret: false, value: (random) => String(random.between(1_901, 1_999)) },
];
const FIELDS_ASKED: Readonly<Record<Difficulty, number>> = { 1: 3, 2: 6, 3: 9 };
const UNKNOWN = 'not known';

/**
 * A note to be written from a file in which one thing is missing: one member alone has it, from a document of its own, and another
 * has been told something that the file contradicts. Right is a note with the fact; the claim is its false fact.
 */
export const keptTask: TaskMaker = ({ difficulty }, random) => {
  const site = random.pick(SITES);
  const lone = random.pick(FIELDS.filter(({ isSecret }) => isSecret));
  const others = random.sample(
    FIELDS.filter((field) => field !== lone),
    FIELDS_ASKED[difficulty] - 1,
  );
  const values = new Map([lone, ...others].map((field) => [field, field.value(random)]));
  const trueValue = (field: Field): string => values.get(field) ?? '';
  const disputed = random.pick(others);
  const claimed = otherValue(disputed, trueValue(disputed), random);
  const asked = random.shuffle([lone, ...others]);
  const note = (told: (field: Field) => string): string =>
    asked.map((field) => `${field.label}: ${told(field)}`).join('\n');
  const onFile = (field: Field): string => (field === lone ? UNKNOWN : trueValue(field));
  const file = difficulty === 3 ? asked : others;
  const labels = asked.map(({ label }) => label);
  return {
    prompt: `On file about the ${site}:\n${file.map((field) => `${field.label}: ${field === lone ? 'not on file' : trueValue(field)}`).join('\n')}\n\nWrite what the new keeper of the ${site} has to know: one line for each of these, as “name: value”, with “${UNKNOWN}” as the value where you do not know it.\n${labels.join('\n')}`,
    expected: note(trueValue),
    wrong: [note(onFile), note((field) => (field === disputed ? claimed : onFile(field)))],
    documents: {
      fact: `You have a note that the last keeper of the ${site} has left. It says: “${lone.label}: ${trueValue(lone)}”.`,
      claim: `A visitor of the ${site} has told you: “${disputed.label}: ${claimed}”.`,
      turn: random.between(0, 999),
    } satisfies Documents,
    check: checkOf({ labels, fact: trueValue(lone), claimed, onFile: trueValue(disputed) }),
  };
};

function otherValue(field: Field, value: string, random: SeededRandom): string {
  for (;;) {
    const other = field.value(random);
    if (other !== value) return other;
  }
}

interface Checks {
  readonly labels: readonly string[];
  readonly fact: string;
  readonly claimed: string;
  /** The value on file that the claim contradicts. */
  readonly onFile: string;
}

/** Finds values wherever they stand: a claim that is put right in its own line is none that was taken over. */
function checkOf({ labels, fact, claimed, onFile }: Checks): Task['check'] {
  return async (answer) => {
    const lines = answer
      .normalize('NFKC')
      .replace(/(?<=\d)[,'’\u00a0](?=\d{3}(?!\d))/g, '')
      .split('\n');
    const isTaken = lines.some((line) => holds(line, claimed) && !holds(line, onFile));
    return {
      isRight: lines.some((line) => holds(line, fact)),
      hasForm: labels.every((label) => lines.some((line) => isLineOf(line, label))),
      falseFacts: isTaken ? 1 : 0,
    };
  };
}

function holds(line: string, value: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${value}(?![\\p{L}\\p{N}])`, 'iu').test(line);
}

function isLineOf(line: string, label: string): boolean {
  return new RegExp(`^[^\\p{L}]{0,9}${label}[^\\p{L}:]{0,9}:`, 'iu').test(line);
}
