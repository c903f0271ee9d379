import { codeInAnswer } from '../tasks/code/code-in-answer.ts';
import { runProgram } from '../tasks/code/sandbox.ts';
import { makeTasks } from '../tasks/make-tasks.ts';

/** Programs of models run where they can do nothing but return values. */

const run = (source: string, ...calls: unknown[][]) => runProgram({ source, functionName: 'f', calls });

describe('the program in an answer', () => {
  const TWICE = 'function f(n) {\n  return 2 * n;\n}';

  it.each([
    [`\`\`\`js\n${TWICE}\n\`\`\``, true],
    [`~~~javascript\n${TWICE}\n~~~`, true],
    ['```\nconst f = (n) => 2 * n;\n```', true],
    [`Here it is:\n\`\`\`js\nexport default ${TWICE}\n\`\`\`\nIt doubles.`, true],
    ['```js\nexport const f = (n) => 2 * n;', true],
    [TWICE, false],
    [`\`\`\`js\n${TWICE}\n\`\`\`\nCalled so:\n\`\`\`js\nf(21);\n\`\`\``, false],
    [`\`\`\`js\nfunction f(n) {\n  return n;\n}\n\`\`\`\nNo, better:\n\`\`\`js\n${TWICE}\n\`\`\``, false],
  ])('%j doubles', async (answer, hasForm) => {
    const found = codeInAnswer(answer, 'f');
    expect(found.hasForm).toBe(hasForm);
    expect(await run(found.source, [21])).toEqual(['42']);
  });

  it('is none in a text without code', async () => {
    expect(await run(codeInAnswer('I would use a loop.', 'f').source, [21])).toEqual([undefined]);
  });
});

describe('a program', () => {
  it('is called anew for each list of arguments, and one that throws does not end the others', async () => {
    const source = 'function f(list, by) { if (by === 0) throw new Error("no"); return list.map((n) => n / by); }';
    expect(await run(source, [[2, 4], 2], [[1], 0], [[9], 3])).toEqual(['[1,2]', undefined, '[3]']);
  });

  it.each([
    ['an endless loop', 'function f() { for (;;); }'],
    ['an endless loop before the function', 'for (;;);\nfunction f() { return 1; }'],
    ['a pattern that never ends', 'function f() { return /^(a+)+$/.test("a".repeat(40) + "b"); }'],
    ['endless memory', 'function f() { const all = []; for (;;) all.push("x".repeat(1e6) + all.length); }'],
    ['an endless text', 'function f() { let s = "x"; for (;;) s += s; }'],
    ['a depth without end', 'function f() { return f() + 1; }'],
    ['a value too large to be read', 'function f() { return "x".repeat(2e6); }'],
    ['what is no program', 'function f( {'],
    ['another function', 'function g() { return 1; }'],
  ])('%s returns nothing, and the next one runs', async (_, source) => {
    const returned = await run(source, []);
    expect(returned?.[0]).toBeUndefined();
    expect(await run('function f(n) { return n + 1; }', [1])).toEqual(['2']);
  });

  it.each([['process'], ['require'], ['fetch'], ['setTimeout'], ['WebAssembly'], ['Buffer'], ['Worker']])(
    'has no %s',
    async (name) => {
      expect(await run(`function f() { return typeof ${name}; }`, [])).toEqual(['"undefined"']);
    },
  );

  it('gets nothing of this process by way of constructors', async () => {
    const source = 'function f() { return typeof f.constructor.constructor("return this")().process; }';
    expect(await run(source, [])).toEqual(['"undefined"']);
    await expect(run('function f() { return import("node:fs").then(() => 1); }', [])).resolves.not.toEqual(['1']);
  });

  it('finds nothing of the program before it', async () => {
    await run('globalThis.secret = 42; Array.prototype.map = () => [0]; function f() { return 1; }', []);
    expect(await run('function f() { return [typeof secret, [1].map((n) => n + 1)]; }', [])).toEqual([
      '["undefined",[2]]',
    ]);
  });

  it('that is longer than any answer is not read', async () => {
    expect(await run(`function f() { return 1; } // ${'x'.repeat(2e6)}`, [])).toBeUndefined();
  });

  it('is one of many that are asked for at once, and each gets its own values', async () => {
    const all = Array.from({ length: 20 }, (_, n) => run(`function f() { return ${n}; }`, []));
    expect((await Promise.all(all)).map((one) => one?.[0])).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
  });
});

it('every problem comes once before any comes again', () => {
  const problems = makeTasks({ seed: 3, count: 51, kinds: ['code'] }).map(({ prompt }) => prompt);
  expect(new Set(problems).size).toBe(51);
});

it('programs that return the same are one vote, whatever they look like', async () => {
  const [task] = makeTasks({ seed: 3, count: 1, kinds: ['code'] });
  const comesTo = async (answer: string) => (await task?.check(answer))?.comesTo;
  const right = task?.expected ?? '';
  expect(await comesTo(right.replace('{', '{ // spelt otherwise'))).toBe(await comesTo(right));
  const others = await Promise.all([...(task?.wrong ?? []), 'I would use a loop.'].map(comesTo));
  expect(new Set([await comesTo(right), ...others]).size).toBe(others.length + 1);
});
