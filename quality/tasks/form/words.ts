/** Words of one syllable or two by their first letter, none of them with a second meaning that would offend. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  a: ['apple', 'arrow', 'album'],
  b: ['bridge', 'basket', 'butter'],
  c: ['castle', 'candle', 'copper'],
  d: ['dragon', 'desert', 'dinner'],
  e: ['eagle', 'engine', 'evening'],
  f: ['forest', 'finger', 'feather'],
  g: ['garden', 'guitar', 'glass'],
  h: ['harbor', 'hammer', 'honey'],
  i: ['island', 'insect', 'iron'],
  k: ['kitchen', 'kettle', 'kite'],
  l: ['lantern', 'ladder', 'lemon'],
  m: ['mirror', 'market', 'meadow'],
  n: ['needle', 'number', 'nest'],
  o: ['ocean', 'orange', 'oven'],
  p: ['pencil', 'pillow', 'planet'],
  r: ['river', 'rocket', 'ribbon'],
  s: ['silver', 'summer', 'saddle'],
  t: ['table', 'tunnel', 'timber'],
  u: ['uncle', 'umbrella', 'unit'],
  v: ['valley', 'velvet', 'village'],
  w: ['window', 'winter', 'wagon'],
  y: ['yellow', 'yard', 'yarn'],
};

/** All of them. */
export const ALL_WORDS: readonly string[] = Object.values(WORDS).flat();

/** Words whose letters all begin one of the words above, to be spelt by lines. */
export const SPELT = [
  'bread',
  'cloud',
  'dream',
  'grape',
  'house',
  'light',
  'mouse',
  'night',
  'ocean',
  'piano',
  'river',
  'sugar',
  'train',
  'water',
] as const;

/** Names for objects of JSON. */
export const NAMES = [
  'Ada',
  'Bruno',
  'Carla',
  'Dario',
  'Elif',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kaya',
  'Leon',
] as const;
