import { readVerdict } from './verdict';

/** Beside the tables of `test/replies`, which prove how scores are spelt and where a verdict may stand. */

const CORE = { accuracy: 8, creativity: 6, clarity: 7, completeness: 5, usefulness: 9 };
const SHOWN = [{ label: 'KQXB' }, { label: 'BDFG' }];
const RULE = 'must be a number from 0 to 10';
const NOT_JSON = 'the reply must be exactly one JSON object with an array "items"';

const reply = (...items: unknown[]): string => JSON.stringify({ items });
const item = (label: unknown, fields: object = {}): object => ({ label, reasoning: 'Because.', ...CORE, ...fields });
const finding = (fields: object = {}) => ({ scores: CORE, reasoning: 'Because.', change: '', missing: [], ...fields });

it.each<[string, string, object, readonly string[]]>([
  [
    'both, one twice alike, padded, beside what is no item of ours',
    reply(item(' KQXB '), item('KQXB', { reasoning: 'Again.' }), item('ZZZZ'), item('BDFG', { clarity: 2.5 }), 7, null),
    { KQXB: finding(), BDFG: finding({ scores: { ...CORE, clarity: 2.5 } }) },
    [],
  ],
  ['one of them', reply(item('BDFG')), { BDFG: finding() }, ['KQXB: missing']],
  [
    'a score that is none, which is never clamped',
    reply(item('KQXB', { accuracy: 10.01 }), item('BDFG')),
    { BDFG: finding() },
    [`KQXB.accuracy: ${RULE}`],
  ],
  [
    'labels in its reasoning, which become words',
    reply(item('KQXB', { reasoning: 'KQXB beats BDFG, not XKQXB.', change: 'BDFG' }), item('BDFG')),
    {
      KQXB: finding({ reasoning: 'this response beats another response, not XKQXB.', change: 'another response' }),
      BDFG: finding(),
    },
    [],
  ],
  [
    'a reasoning without end',
    reply(item('KQXB', { reasoning: 'x'.repeat(5_000) }), item('BDFG')),
    { KQXB: finding({ reasoning: 'x'.repeat(4_000) }), BDFG: finding() },
    [],
  ],
  ['a label that was not shown', reply({ label: 'Response A', ...CORE }), {}, [NOT_JSON]],
  ['labels that are no text', reply(item(7)), {}, [NOT_JSON]],
  ['a bare list', JSON.stringify([item('KQXB')]), {}, [NOT_JSON]],
  ['items that are no list', JSON.stringify({ items: { KQXB: item('KQXB') } }), {}, [NOT_JSON]],
  ['NaN', reply(item('KQXB', { accuracy: 0 })).replace(':0', ':NaN'), {}, [NOT_JSON]],
])('a reply with %s', (_, text, findings, problems) => {
  const verdict = readVerdict(text, SHOWN);
  expect(Object.fromEntries(verdict.findings)).toEqual(findings);
  expect(verdict.problems).toEqual(problems);
});

it.each([
  ['in a core criterion', { clarity: 1 }, undefined],
  ['by being spoilt once', { clarity: 'x' }, undefined],
  ['in a criterion of its role', { resilience: 1 }, 'blueTeam'],
  ['by a role criterion that is there only once', { resilience: undefined }, 'blueTeam'],
  ['by a role criterion that is there only the second time', { threatCoverage: 3 }, 'blueTeam'],
] as const)('a label scored twice differently %s is not scored', (_, second, role) => {
  const first = { mitigationEffectiveness: 5, resilience: 5 };
  const twice = reply(item('KQXB', first), item('KQXB', { ...first, ...second }));
  const { findings, problems } = readVerdict(twice, [{ label: 'KQXB', role }]);
  expect(findings.size).toBe(0);
  expect(problems).toContain('KQXB: scored more than once');
});

it('of a role only the criteria that are not there or spoilt are lost, and those of other roles ignored', () => {
  const given = { attackRealism: 11, impactAssessment: '2/10', resilience: 1 };
  const { findings, problems } = readVerdict(reply(item('KQXB', given)), [{ label: 'KQXB', role: 'redTeam' }]);
  const missing = ['vulnerabilityDiscovery', 'attackRealism'];
  expect(findings.get('KQXB')).toEqual(finding({ scores: { ...CORE, impactAssessment: 2 }, missing }));
  expect(problems).toEqual(missing.map((key) => `KQXB.${key}: ${RULE}`));
});
