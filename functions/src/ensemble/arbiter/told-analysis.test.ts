import { DRAFT_ANALYSIS } from '../strategies/competitive-refinement';
import { VERDICT } from '../strategies/debate-tournament/prompts';
import { PARTS_ANALYSIS } from '../strategies/hierarchical/prompts';
import { VERSION_ANALYSIS } from '../strategies/red-team-blue-team/red-team-blue-team';
import { type AnalysisForm, parseAnalysis } from './analysis';
import { toldAnalysis } from './told-analysis';

/** Analyses as programs read them. */

const names = new Map([
  ['A', 'Ada'],
  ['B', 'Blaise $& $1 (A)'],
]);
const candidates = new Map([
  ['A', 1],
  ['B', 0],
]);
const LONG = `${'The rind is edible. '.repeat(2_000)}End`;

function told(lists: object, form: AnalysisForm = DRAFT_ANALYSIS) {
  const analysis = parseAnalysis(JSON.stringify({ ...lists, rationale: 'r' }), form);
  return analysis && toldAnalysis(analysis, form, { names, candidates });
}

it.each([
  ['its label apart', { label: 'B', point: 'It is red.', mark: 'confirmed' }, [0, 'It is red.', 'confirmed']],
  ['a label with its noun', { label: 'Candidate A', point: 'It is red.' }, [1, 'It is red.']],
  ['a label in brackets', { label: '[A]', point: 'It is red.' }, [1, 'It is red.']],
  ['the label in the text', { point: 'A: it is red', mark: 'plausible' }, [1, 'Ada: it is red', 'plausible']],
  ['a mere text', '[A] says: "red" — likely invented', [1, '[Ada] says: "red"', 'likely invented']],
  ['a mark of its own', { label: 'A', point: 'Red.', mark: 'doubtful' }, [1, 'Red. — doubtful']],
  ['two labels', { label: 'A, B', point: 'Red.' }, [1, 'Ada, B — Red.']],
  ['a label of nobody', { label: 'Z', point: 'Red.' }, [undefined, 'Z — Red.']],
  ['fields of its own', { label: 'A', claim: 'Red.', source: 'A book.' }, [1, 'Red. — A book.']],
  ['a name like a pattern', { label: '', point: 'Only (B) says it.' }, [0, 'Only (Blaise $& $1 (A)) says it.']],
  ['no label', { point: 'A tomato is red.' }, [undefined, 'A tomato is red.']],
  [
    'a label in small letters',
    { label: 'candidate b', point: 'Red.', mark: 'Likely invented' },
    [0, 'Red.', 'likely invented'],
  ],
  ['texts in a list', ['A', 'It is red.', 'confirmed'], [1, 'Ada — It is red.', 'confirmed']],
  [
    'a key of every object',
    JSON.parse('{"label":"A","__proto__":"Red.","constructor":"Sweet."}'),
    [1, 'Red. — Sweet.'],
  ],
  ['a long text', { label: 'A', point: LONG, mark: 'confirmed' }, [1, LONG, 'confirmed']],
] as const)('a unique point with %s keeps its author, its words and its mark', (_, point, [candidate, words, mark]) => {
  expect(told({ unique: [point] })?.unique).toEqual([
    { ...(candidate !== undefined && { candidate }), point: words, ...(mark && { mark }) },
  ]);
});

it('a conflict keeps all that is said of it', () => {
  const conflicts = [
    { point: 'Is it a berry?', why: 'A quotes "Linné".', ruling: 'Candidate A is right.' },
    { ruling: 'Yes.', issue: 'Is it red?', detail: 'In "July".' },
    'B against A',
    { point: '', why: 7, ruling: null },
  ];
  expect(told({ conflicts })?.conflicts).toEqual([
    { about: 'Is it a berry?', why: 'A quotes "Linné".', ruling: 'Ada is right.' },
    { about: 'Is it red? — In "July".', ruling: 'Yes.' },
    { about: 'B against A', ruling: '' },
  ]);
});

it.each([
  ['drafts', DRAFT_ANALYSIS, { agreed: ['One.'], conflicts: [{ about: 'Two.', ruling: '' }], unique: [], dissent: [] }],
  ['a debate', VERDICT, undefined],
  ['parts', PARTS_ANALYSIS, { conflicts: [{ about: 'Two.', ruling: '' }] }],
  ['attacked versions', VERSION_ANALYSIS, undefined],
])('of %s there is what the arbiter is asked for, and nothing where it has made no such point', (_, form, lists) => {
  expect(told({ agreements: 'One.', conflicts: ['Two.'], fixed: ['Three.'] }, form)).toEqual(lists);
});

it('of a debate there is what stands of the side that lost', () => {
  expect(told({ dissent: ['[A] is cheaper.'], conceded: ['It is late.'] }, VERDICT)).toEqual({
    dissent: ['[Ada] is cheaper.'],
  });
});
