import type { SeededRandom } from '../seeded-random.ts';

/** Something that happens to what people have. */
export interface Step {
  readonly kind: string;
  readonly says: string;
  /** What everybody has afterwards; whole numbers whatever is given, as for a reader who has slipped before. */
  apply(amounts: readonly number[]): number[];
}

/** Who has how many of what when a step is made. */
export interface Scene {
  readonly names: readonly string[];
  readonly thing: string;
  readonly amounts: readonly number[];
}

/** A step that fits what people have, or none. */
type StepMaker = (random: SeededRandom, scene: Scene) => Step | undefined;

const PARTS = [
  { word: 'half', of: 2 },
  { word: 'a third', of: 3 },
  { word: 'a quarter', of: 4 },
] as const;
const PERCENTAGES = [10, 20, 25, 50, 75] as const;

/** All that can happen; several need two people. */
export const STEP_MAKERS: readonly StepMaker[] = [buys, getsBags, gives, givesPart, loses, catchesUp, evensOut];

function buys(random: SeededRandom, scene: Scene): Step {
  const [who, name] = somebody(random, scene);
  const count = random.between(5, 60);
  return {
    kind: 'buys',
    says: `${name} buys ${count} more ${scene.thing}.`,
    apply: (amounts) => changed(amounts, { [who]: count }),
  };
}

function getsBags(random: SeededRandom, scene: Scene): Step {
  const [who, name] = somebody(random, scene);
  const bags = random.between(2, 9);
  const each = random.between(3, 12);
  return {
    kind: 'getsBags',
    says: `${name} gets ${bags} bags with ${each} ${scene.thing} in each bag.`,
    apply: (amounts) => changed(amounts, { [who]: bags * each }),
  };
}

function gives(random: SeededRandom, scene: Scene): Step | undefined {
  const [who, name, other, otherName] = twoPeople(random, scene);
  const has = scene.amounts[who] ?? 0;
  if (other === undefined || has < 8) return undefined;
  const count = random.between(3, Math.min(40, has - 3));
  return {
    kind: 'gives',
    says: `${name} gives ${count} ${scene.thing} to ${otherName}.`,
    apply: (amounts) => changed(amounts, { [who]: -count, [other]: count }),
  };
}

function givesPart(random: SeededRandom, scene: Scene): Step | undefined {
  const [who, name, other, otherName] = twoPeople(random, scene);
  const { word, of } = random.pick(PARTS);
  if (other === undefined || (scene.amounts[who] ?? 0) % of !== 0) return undefined;
  return {
    kind: 'givesPart',
    says: `${name} then gives ${word} of all the ${scene.thing} that ${name} has to ${otherName}.`,
    apply: (amounts) => {
      const part = Math.floor((amounts[who] ?? 0) / of);
      return changed(amounts, { [who]: -part, [other]: part });
    },
  };
}

function loses(random: SeededRandom, scene: Scene): Step | undefined {
  const [who, name] = somebody(random, scene);
  const percent = random.pick(PERCENTAGES);
  if (((scene.amounts[who] ?? 0) * percent) % 100 !== 0) return undefined;
  return {
    kind: 'loses',
    says: `${name} then sells ${percent} percent of the ${scene.thing} that ${name} has.`,
    apply: (amounts) => changed(amounts, { [who]: -Math.floor(((amounts[who] ?? 0) * percent) / 100) }),
  };
}

function catchesUp(random: SeededRandom, scene: Scene): Step | undefined {
  const [who, name, other, otherName] = twoPeople(random, scene);
  if (other === undefined) return undefined;
  return {
    kind: 'catchesUp',
    says: `${name} then buys as many ${scene.thing} as ${otherName} has.`,
    apply: (amounts) => changed(amounts, { [who]: amounts[other] ?? 0 }),
  };
}

function evensOut(random: SeededRandom, scene: Scene): Step | undefined {
  const [who, name, other, otherName] = twoPeople(random, scene);
  const more = (scene.amounts[who] ?? 0) - (scene.amounts[other ?? who] ?? 0);
  if (other === undefined || more <= 0 || more % 2 !== 0) return undefined;
  return {
    kind: 'evensOut',
    says: `${name} then gives ${otherName} just enough ${scene.thing} for both to have the same number.`,
    apply: (amounts) => {
      const passed = Math.floor(((amounts[who] ?? 0) - (amounts[other] ?? 0)) / 2);
      return changed(amounts, { [who]: -passed, [other]: passed });
    },
  };
}

function somebody(random: SeededRandom, { names }: Scene): [number, string] {
  const who = random.below(names.length);
  return [who, names[who] ?? ''];
}

function twoPeople(random: SeededRandom, { names }: Scene): [number, string, number | undefined, string] {
  const [who = 0, other] = random.shuffle([...names.keys()]);
  return [who, names[who] ?? '', other, other === undefined ? '' : (names[other] ?? '')];
}

function changed(amounts: readonly number[], by: Readonly<Record<number, number>>): number[] {
  return amounts.map((amount, at) => amount + (by[at] ?? 0));
}
