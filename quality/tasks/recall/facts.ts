/** Lists that are known well and do not change, each in an order of its own. */
export interface FactList {
  /** As in `the chemical elements`. */
  readonly name: string;
  /** How a stretch of the list is asked for, by its first and last place, from 0. */
  ask(first: number, last: number): string;
  readonly items: readonly string[];
}

const ELEMENTS = [
  ...['hydrogen', 'helium', 'lithium', 'beryllium', 'boron', 'carbon', 'nitrogen', 'oxygen', 'fluorine', 'neon'],
  ...['sodium', 'magnesium', 'aluminium', 'silicon', 'phosphorus', 'sulfur', 'chlorine', 'argon', 'potassium'],
  ...['calcium', 'scandium', 'titanium', 'vanadium', 'chromium', 'manganese', 'iron', 'cobalt', 'nickel', 'copper'],
  ...['zinc', 'gallium', 'germanium', 'arsenic', 'selenium', 'bromine', 'krypton', 'rubidium', 'strontium', 'yttrium'],
  ...['zirconium', 'niobium', 'molybdenum', 'technetium', 'ruthenium', 'rhodium', 'palladium', 'silver', 'cadmium'],
  ...['indium', 'tin', 'antimony', 'tellurium', 'iodine', 'xenon'],
];
const GREEK = [
  ...['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa', 'lambda', 'mu'],
  ...['nu', 'xi', 'omicron', 'pi', 'rho', 'sigma', 'tau', 'upsilon', 'phi', 'chi', 'psi', 'omega'],
];
const SPELLING = [
  ...['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett', 'kilo', 'lima'],
  ...['mike', 'november', 'oscar', 'papa', 'quebec', 'romeo', 'sierra', 'tango', 'uniform', 'victor', 'whiskey'],
  ...['x-ray', 'yankee', 'zulu'],
];
const PRESIDENTS = [
  ...['franklin d. roosevelt', 'harry s. truman', 'dwight d. eisenhower', 'john f. kennedy', 'lyndon b. johnson'],
  ...['richard nixon', 'gerald ford', 'jimmy carter', 'ronald reagan', 'george h. w. bush', 'bill clinton'],
];
const STATES = [
  ...['alabama', 'alaska', 'arizona', 'arkansas', 'california', 'colorado', 'connecticut', 'delaware', 'florida'],
  ...['georgia', 'hawaii', 'idaho', 'illinois', 'indiana', 'iowa', 'kansas', 'kentucky', 'louisiana', 'maine'],
  ...['maryland', 'massachusetts', 'michigan', 'minnesota', 'mississippi', 'missouri', 'montana', 'nebraska'],
  ...['nevada', 'new hampshire', 'new jersey', 'new mexico', 'new york', 'north carolina', 'north dakota', 'ohio'],
  ...['oklahoma', 'oregon', 'pennsylvania', 'rhode island', 'south carolina', 'south dakota', 'tennessee', 'texas'],
  ...['utah', 'vermont', 'virginia', 'washington', 'west virginia', 'wisconsin', 'wyoming'],
];

const letter = (at: number): string => String.fromCharCode(65 + at);

/** Common knowledge: any encyclopaedia has them. */
export const FACT_LISTS: readonly FactList[] = [
  {
    name: 'chemical elements',
    ask: (first, last) => `the chemical elements with the atomic numbers from ${first + 1} to ${last + 1}`,
    items: ELEMENTS,
  },
  {
    name: 'Greek letters',
    ask: (first, last) =>
      `the names of the letters of the Greek alphabet from letter number ${first + 1} to letter number ${last + 1}`,
    items: GREEK,
  },
  {
    name: 'spelling words',
    ask: (first, last) =>
      `the words of the NATO spelling alphabet for the letters from ${letter(first)} to ${letter(last)}`,
    items: SPELLING,
  },
  {
    name: 'states',
    ask: (first, last) =>
      `the states of the United States that come ${first + 1}th to ${last + 1}th when all 50 are sorted by the alphabet`.replace(
        /(\d+)th/g,
        (_, number: string) => `${number}${ordinal(Number(number))}`,
      ),
    items: STATES,
  },
  {
    name: 'presidents',
    ask: (first, last) =>
      `the presidents of the United States in the order of their first day in office, from number ${first + 32} to number ${last + 32} (George Washington is number 1)`,
    items: PRESIDENTS,
  },
];

function ordinal(number: number): string {
  if (number % 100 >= 11 && number % 100 <= 13) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[number % 10] ?? 'th';
}

/** Other spellings of the same. */
export const SAME: Readonly<Record<string, string>> = {
  aluminum: 'aluminium',
  sulphur: 'sulfur',
  alpha: 'alfa',
  juliet: 'juliett',
  xray: 'x-ray',
  whisky: 'whiskey',
  'franklin delano roosevelt': 'franklin d. roosevelt',
  'franklin roosevelt': 'franklin d. roosevelt',
  'harry truman': 'harry s. truman',
  'dwight eisenhower': 'dwight d. eisenhower',
  'john kennedy': 'john f. kennedy',
  'john fitzgerald kennedy': 'john f. kennedy',
  'lyndon johnson': 'lyndon b. johnson',
  'lyndon baines johnson': 'lyndon b. johnson',
  'richard m. nixon': 'richard nixon',
  'gerald r. ford': 'gerald ford',
  'james carter': 'jimmy carter',
  'george bush': 'george h. w. bush',
  'george h.w. bush': 'george h. w. bush',
  'william j. clinton': 'bill clinton',
  'william clinton': 'bill clinton',
};
