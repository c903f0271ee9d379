import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTheBench } from './in-the-bench';

/** The benchmark reads its arguments and tells its figures as it should. */

describe('the arguments of npm run bench', () => {
  const read = (lines: readonly string[][]): unknown[] =>
    inTheBench(`import { readArguments } from './bench/arguments.mjs';
      told(${JSON.stringify(lines)}.map((line) => readArguments(line, ['latency', 'streams', 'wide'])));`);

  it('ask for everything, four rounds and no gateways of others where nothing is said', () => {
    expect(read([[]])).toEqual([{ names: ['latency', 'streams', 'wide'], roundsAsked: 4, withPeers: false }]);
  });

  it('name measures, each once, rounds and gateways of others', () => {
    expect(
      read([['--only', 'wide', '--only', 'latency', '--only', 'wide', '--rounds', '1', '--peers'], ['--rounds=100']]),
    ).toEqual([
      { names: ['wide', 'latency'], roundsAsked: 1, withPeers: true },
      { names: ['latency', 'streams', 'wide'], roundsAsked: 100, withPeers: false },
    ]);
  });

  it('are refused with what is wrong', () => {
    const rounds = (value: string) => ({ fault: `--rounds takes a whole number from 1 to 100, not ${value}` });
    expect(
      read([
        ['--only', 'speed'],
        ...['0', '-1', '1.5', '101', 'x', ''].map((value) => [`--rounds=${value}`]),
        ['--fast'],
      ]),
    ).toEqual([
      { fault: 'no measure named speed: choose from latency, streams, wide' },
      ...['0', '-1', '1.5', '101', 'x', ''].map(rounds),
      { fault: expect.stringContaining("Unknown option '--fast'") },
    ]);
  });
});

describe('statistics', () => {
  it('are those of the numbers', () => {
    const told = inTheBench(`import { median, quantile, unionMs } from './bench/stats.mjs';
      const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
      told({
        middles: [median([3, 1, 2]), median([4, 1, 3, 2]), median([])],
        shares: [quantile(hundred, 0.99), quantile(hundred, 0.5), quantile(hundred, 0), quantile([7], 0.99)],
        covered: [unionMs([]), unionMs([[0, 10], [5, 12], [20, 21]]), unionMs([[0, 10], [2, 3]])],
      });`);
    expect(told).toEqual({ middles: [2, 2.5, null], shares: [99, 50, 1, 7], covered: [0, 13, 10] });
  });
});

describe('a cost curve', () => {
  const of = (names: string, call: string): unknown =>
    inTheBench(`import { ${names} } from './bench/scale/curves/line-fit.mjs'; told(${call});`);

  it('has the line through its points', () => {
    expect(of('lineThrough', 'lineThrough([[0, 1], [1, 3], [2, 5]])')).toEqual({ slope: 2, base: 1 });
    // Means 1 and 2; slope (−1·−2 + 0·1 + 1·1) ÷ 2.
    expect(of('lineThrough', 'lineThrough([[0, 0], [1, 3], [2, 3]])')).toEqual({ slope: 1.5, base: 0.5 });
  });

  it('grows where a unit is dearer among many: of x² three times, of a line not at all', () => {
    const points = (of: string) => `[0, 1, 2, 3, 4].map((x) => [x, ${of}])`;
    expect(of('slopeGrowth', `[slopeGrowth(${points('x * x')}), slopeGrowth(${points('7 + 2 * x')})]`)).toEqual([3, 1]);
  });

  it('is level where the upper half costs what the lower does', () => {
    const [level, doubled] = ['[[1, 10], [2, 30], [3, 30], [4, 10]]', '[[1, 10], [2, 10], [3, 99], [4, 20], [5, 20]]'];
    expect(of('levelGrowth', `[levelGrowth(${level}), levelGrowth(${doubled})]`)).toEqual([1, 2]);
  });
});

describe('a stream with a text of its own', () => {
  const flaws = (...texts: string[]): unknown =>
    inTheBench(`import { flawOf } from './bench/scale/tagged-streams.mjs';
      const stream = (...pieces) => pieces.map((content) =>
        'data: ' + JSON.stringify({ choices: [{ delta: { content } }] }) + '\\n\\n').join('') + 'data: [DONE]\\n\\n';
      told([${texts.join(', ')}].map((text) => flawOf(text, 'fake-tagged-2', 't7') ?? 'none'));`);

  it('is whole only with every byte of its own, in order, to the end', () => {
    const broken = (at: number): string => `the content of t7 is not what the upstream wrote, from character ${at} on`;
    expect(
      flaws(
        "stream('t7é0 ', 't7é1 ')",
        "stream('t7é0 t7é1 ')",
        "stream('t7é0 ')",
        "stream('t7é0 ', 't8é1 ')",
        "stream('t7é1 ', 't7é0 ')",
        "stream('t7é0 ', 't7é1 ').replace('[DONE]', '{}')",
      ),
    ).toEqual(['none', 'none', broken(5), broken(6), broken(3), 'no [DONE] at the end']);
  });
});

describe('taking turns', () => {
  it('begins with another one each time, leaves out a peer that failed, and ends with what else fails', () => {
    const program = `import { inBlocks, inTurn } from './bench/outside/turns.mjs';
      const seen = [];
      const three = ['a', 'b', 'c'].map((name) => ({ name, title: name, isPeer: name === 'b' }));
      const note = ({ name }) => { seen.push(name); if (name === 'b' && seen.length > 3) throw new Error('gone'); return name; };
      const results = [];
      for (const turn of [0, 1, 5]) results.push(await inTurn(three, turn, note));
      const blocks = await inBlocks(three, { blocks: 2 }, ({ name }) => name);
      const ended = await inTurn(three, 0, () => { throw new Error('ours'); }).catch(({ message }) => message);
      told({ seen: seen.join(''), results, blocks: Object.entries(blocks).map(([name, all]) => [name, all.length]), ended });`;
    expect(inTheBench(program)).toEqual({
      // In the second turn b fails, and is not asked in the third.
      seen: 'abcbcaca',
      results: [
        { a: 'a', b: 'b', c: 'c' },
        { c: 'c', a: 'a' },
        { c: 'c', a: 'a' },
      ],
      blocks: [
        ['a', 20],
        ['c', 20],
      ],
      ended: 'a: ours\n',
    });
  });
});

describe('the table from outside', () => {
  const CANDIDATES = [
    { name: 'bare', title: 'bare upstream' },
    { name: 'ours', title: 'ours' },
    { name: 'portkey', title: 'Portkey' },
  ];
  const rows = (figure: object, rounds: readonly Record<string, number>[]): unknown =>
    inTheBench(`import { rowsOf } from './bench/outside/report.mjs';
      const of = (column) => ({ values }) => ({ measure: 'm', column, values });
      const rounds = ${JSON.stringify(rounds)}.map((values) => ({
        values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { k: value }])),
      }));
      told(rowsOf({
        candidates: ${JSON.stringify(CANDIDATES)},
        samples: [...rounds.map(of(10)), ...rounds.slice(0, 1).map(of(600))],
        measures: { m: { figures: [${JSON.stringify({ key: 'k', title: 'Wait', unit: 'ms', ...figure })}] } },
        columns: [10, 600],
      }));`);

  it('tells what is added to bare in the same round, and ours against it with the spread', () => {
    // Added by ours 3, 6 and 9; by Portkey 2, 2 and 3: ratios 1.5, 3 and 3.
    const rounds = [
      { bare: 1, ours: 4, portkey: 3 },
      { bare: 2, ours: 8, portkey: 4 },
      { bare: 1, ours: 10, portkey: 4 },
    ];
    expect(rows({ isAdded: true, target: { atMost: 1, times: 'portkey' } }, rounds)).toEqual([
      { measure: 'Wait, added to bare', server: 'bare upstream', early: '1.00 ms', late: '1.00 ms' },
      {
        ...{ measure: '', server: 'ours', early: '6.00 ms', late: '3.00 ms' },
        ...{ target: '≤ 1 × portkey', ok: 'MISS' },
      },
      {
        ...{ measure: '', server: 'Portkey', early: '2.00 ms', late: '2.00 ms' },
        ...{ earlyRatio: '× 3.00 (1.50–3.00)', lateRatio: '× 1.50' },
      },
    ]);
  });

  it('holds the column after the fewest requests against a limit', () => {
    const [tight, wide] = [20, 30].map((limit) =>
      rows({ target: { atMost: limit } }, [
        { bare: 1, ours: 20 },
        { bare: 2, ours: 40 },
      ]),
    );
    const ours = (target: string, ok: string) => [
      {
        ...{ measure: 'Wait', server: 'bare upstream', early: '1.50 ms', late: '1.00 ms' },
        ...{ earlyRatio: '× 20.0 (20.0–20.0)', lateRatio: '× 20.0' },
      },
      { measure: '', server: 'ours', early: '30.0 ms', late: '20.0 ms', target, ok },
    ];
    expect([tight, wide]).toEqual([ours('≤ 20 ms', 'MISS'), ours('≤ 30 ms', 'ok')]);
  });

  it('leaves out who has no figure, and a target that is held against one of them', () => {
    expect(rows({ target: { atLeast: 1.2, times: 'portkey' } }, [{ ours: 5 }])).toEqual([
      { measure: 'Wait', server: 'ours', early: '5.00 ms', late: '5.00 ms' },
    ]);
  });
});

describe('the table of cold starts', () => {
  it('tells medians, and ratios to the hello-world function made within a round', () => {
    // Ratios 2, 3 and 1: of the medians it would be 40 ÷ 20.
    const program = `import { coldRows } from './bench/cold-start/report.mjs';
      const of = (answerMs) => ({ answerMs, cpuMs: answerMs, files: 7 });
      const rounds = [[10, 20], [20, 60], [40, 40]].map(([hello, ours]) => ({ hello: of(hello), sqlite: of(ours) }));
      const candidates = [{ name: 'hello', title: 'hello' }, { name: 'sqlite', title: 'ours' }];
      const rows = coldRows({ candidates, rounds });
      told([rows[0], rows[1], rows.at(-1)]);`;
    expect(inTheBench(program)).toEqual([
      { measure: 'start to first answer', server: 'hello', value: '20.0 ms' },
      {
        ...{ measure: '', server: 'ours', value: '40.0 ms', ratio: '× 2.00 (1.00–3.00)' },
        ...{ target: '≤ 1.2 × hello-world', ok: 'MISS' },
      },
      { measure: '', server: 'ours', value: '7' },
    ]);
  });
});

describe('docs/performance.md', () => {
  const ROOT = join(__dirname, '..', '..', '..');
  const page = readFileSync(join(ROOT, 'docs', 'performance.md'), 'utf8');

  it('explains every measure by its name', () => {
    const names = inTheBench<string[]>(`import { COLD } from './bench/cold-start/cold-start.mjs';
      import { INSIDE } from './bench/inside.mjs';
      import { OUTSIDE } from './bench/outside/outside.mjs';
      told([OUTSIDE, COLD, INSIDE].flatMap(Object.keys));`);
    expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('names the versions of the gateways that are installed', () => {
    const peers = join(ROOT, 'functions', 'bench', 'outside', 'peers');
    const told = readFileSync(join(peers, 'peers.mjs'), 'utf8');
    const { dependencies } = JSON.parse(readFileSync(join(peers, 'portkey', 'package.json'), 'utf8'));
    const pinned = (name: string): string | undefined =>
      new RegExp(`^${name}==(\\S+)$`, 'm').exec(readFileSync(join(peers, name, 'requirements.txt'), 'utf8'))?.[1];
    const titles = [
      `Portkey ${dependencies['@portkey-ai/gateway']}`,
      `LiteLLM ${pinned('litellm')}`,
      `optillm ${pinned('optillm')}`,
    ];
    for (const text of [page, told]) expect(titles.filter((title) => !text.includes(title))).toEqual([]);
  });
});
