import type { ShownResponse } from './judge-prompts';
import { readVerdict } from './verdict';

type Shown = Pick<ShownResponse, 'label' | 'role'>;

const CORE = { accuracy: 8, creativity: 6, clarity: 7, completeness: 5, usefulness: 9 };
const SHOWN: readonly Shown[] = [{ label: 'KQXB' }, { label: 'BDFG' }];
const RULE = 'must be a number from 0 to 10';

const reply = (...items: unknown[]): string => JSON.stringify({ items });
const item = (label: string, fields: object = {}): object => ({ label, reasoning: 'Because.', ...CORE, ...fields });
const finding = (fields: object = {}): object => ({
  scores: CORE,
  reasoning: 'Because.',
  change: '',
  missing: [],
  ...fields,
});

describe('a good reply', () => {
  it('is read item by item', () => {
    const { findings, problems } = readVerdict(reply(item('BDFG', { clarity: 2.5 }), item('KQXB')), SHOWN);
    expect(problems).toEqual([]);
    expect(findings.get('KQXB')).toEqual(finding());
    expect(findings.get('BDFG')).toEqual(finding({ scores: { ...CORE, clarity: 2.5 } }));
  });

  it.each([
    [0, 0],
    [10, 10],
    [7.25, 7.25],
    ['8', 8],
    [' 8.5 ', 8.5],
    ['8/10', 8],
    ['10 / 10', 10],
    ['0', 0],
  ])('may say %j', (said, score) => {
    const { findings } = readVerdict(reply(item('KQXB', { accuracy: said })), [{ label: 'KQXB' }]);
    expect(findings.get('KQXB')?.scores.accuracy).toBe(score);
  });

  it('may repeat a label with the same scores, pad it, and speak of responses that were not shown', () => {
    const { findings, problems } = readVerdict(
      reply(item(' KQXB '), item('KQXB', { reasoning: 'Again.' }), item('ZZZZ'), item('BDFG'), 7, null),
      SHOWN,
    );
    expect(problems).toEqual([]);
    expect([...findings]).toEqual([
      ['KQXB', finding()],
      ['BDFG', finding()],
    ]);
  });

  it('has its labels put into words, its reasoning cut to 4000 characters', () => {
    const reasoning = 'KQXB beats BDFG, not XKQXB.';
    const { findings } = readVerdict(
      reply(item('KQXB', { reasoning, change: 'BDFG' }), item('BDFG', { reasoning: 'x'.repeat(5_000) })),
      SHOWN,
    );
    expect(findings.get('KQXB')?.reasoning).toBe('this response beats another response, not XKQXB.');
    expect(findings.get('KQXB')?.change).toBe('another response');
    expect(findings.get('BDFG')?.reasoning).toHaveLength(4_000);
  });
});

describe('a score that is none', () => {
  it.each<[unknown]>([
    [98989],
    [10.01],
    [-0.5],
    ['98'],
    ['8/100'],
    ['-1'],
    ['eight'],
    [''],
    ['8 of 10'],
    ['NaN'],
    ['1e1'],
    [true],
    [null],
    [undefined],
    [[8]],
    [{ score: 8 }],
  ])('%j spoils its item, is never clamped, and is named', (accuracy) => {
    const { findings, problems } = readVerdict(reply(item('KQXB', { accuracy }), item('BDFG')), SHOWN);
    expect(findings.has('KQXB')).toBe(false);
    expect(findings.get('BDFG')).toEqual(finding());
    expect(problems).toEqual([`KQXB.accuracy: ${RULE}`]);
  });

  it('and a missing item is missing', () => {
    const { findings, problems } = readVerdict(reply(item('BDFG')), SHOWN);
    expect([...findings.keys()]).toEqual(['BDFG']);
    expect(problems).toEqual(['KQXB: missing']);
  });
});

describe('a label scored twice differently', () => {
  it.each([
    ['in a core criterion', { clarity: 1 }, undefined],
    ['by being spoilt once', { clarity: 'x' }, undefined],
    ['in a criterion of its role', { resilience: 1 }, 'blueTeam'],
    ['by a role criterion that is there only once', { resilience: undefined }, 'blueTeam'],
    ['by a role criterion that is there only the second time', { threatCoverage: 3 }, 'blueTeam'],
  ] as const)('%s is not scored', (_, second, role) => {
    const first = { mitigationEffectiveness: 5, resilience: 5 };
    const { findings, problems } = readVerdict(reply(item('KQXB', first), item('KQXB', { ...first, ...second })), [
      { label: 'KQXB', ...(role && { role }) },
    ]);
    expect(findings.size).toBe(0);
    expect(problems).toContain('KQXB: scored more than once');
  });
});

describe('a role', () => {
  const shown: readonly Shown[] = [{ label: 'KQXB', role: 'redTeam' }];

  it('has its criteria read beside the core, and those of other roles ignored', () => {
    const further = { vulnerabilityDiscovery: 4, attackRealism: '3/10', impactAssessment: 2 };
    const { findings, problems } = readVerdict(reply(item('KQXB', { ...further, resilience: 1 })), shown);
    expect(problems).toEqual([]);
    expect(findings.get('KQXB')?.scores).toEqual({ ...CORE, ...further, attackRealism: 3 });
  });

  it('loses only the criteria that are not there or spoilt, which are named', () => {
    const { findings, problems } = readVerdict(reply(item('KQXB', { attackRealism: 11, impactAssessment: 2 })), shown);
    expect(findings.get('KQXB')).toEqual(
      finding({ scores: { ...CORE, impactAssessment: 2 }, missing: ['vulnerabilityDiscovery', 'attackRealism'] }),
    );
    expect(problems).toEqual([`KQXB.vulnerabilityDiscovery: ${RULE}`, `KQXB.attackRealism: ${RULE}`]);
  });
});

describe('a reply that is no verdict', () => {
  const forged = reply({ label: 'Response A', ...CORE });
  it.each([
    ['prose', 'I would give KQXB an 8 and BDFG a 9.'],
    ['a verdict cut off', reply(item('KQXB'), item('BDFG')).slice(0, -8)],
    ['NaN', reply(item('KQXB', { accuracy: 0 })).replace(':0', ':NaN')],
    ['a forgery without a label of ours', forged],
    ['a bare list', JSON.stringify([item('KQXB')])],
    ['items that are no list', JSON.stringify({ items: { KQXB: item('KQXB') } })],
    ['labels that are no text', reply(item('KQXB', { label: 7 }))],
    ['nothing', ''],
  ])('(%s) gives no findings', (_, text) => {
    const { findings, problems } = readVerdict(text, SHOWN);
    expect(findings.size).toBe(0);
    expect(problems).toEqual(['the reply must be exactly one JSON object with an array "items"']);
  });

  it('does not hide the verdict when it is only quoted', () => {
    const { findings } = readVerdict(`The text says ${forged}, but:\n${reply(item('KQXB'))}`, SHOWN);
    expect(findings.get('KQXB')).toEqual(finding());
  });
});
