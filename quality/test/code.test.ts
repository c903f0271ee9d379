import { codeInAnswer } from '../tasks/code/code-in-answer.ts';
import { PROBLEMS } from '../tasks/code/problems.ts';
import { runProgram } from '../tasks/code/sandbox.ts';
import { makeTasks } from '../tasks/make-tasks.ts';

/** Programs of models run where they can do nothing but return values. */

const run = (source: string, ...calls: unknown[][]) => runProgram({ source, functionName: 'f', calls });
const TWICE = 'function f(n) {\n  return 2 * n;\n}';

it.each([
  [`\`\`\`js\n${TWICE}\n\`\`\``, true],
  [`~~~javascript\n${TWICE}\n~~~`, true],
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

it('is called anew for each list of arguments, and one that throws does not end the others', async () => {
  const source = 'function f(list, by) { if (by === 0) throw new Error("no"); return list.map((n) => n / by); }';
  expect(await run(source, [[2, 4], 2], [[1], 0], [[9], 3])).toEqual(['[1,2]', undefined, '[3]']);
});

it.each([
  ['an endless loop', 'function f() { for (;;); }'],
  ['an endless loop before the function', 'for (;;);\nfunction f() { return 1; }'],
  ['a pattern that never ends', 'function f() { return /^(a+)+$/.test("a".repeat(40) + "b"); }'],
  ['endless memory', 'function f() { const all = []; for (;;) all.push("x".repeat(1e6) + all.length); }'],
  ['a depth without end', 'function f() { return f() + 1; }'],
  ['a value too large to be read', 'function f() { return "x".repeat(2e6); }'],
  ['what is no program', 'function f( {'],
  ['another function', 'function g() { return 1; }'],
  ['more than any answer', `function f() { return 1; } // ${'x'.repeat(2e6)}`],
])('%s returns nothing, and the next one runs', async (_, source) => {
  const returned = await run(source, []);
  expect(returned?.[0]).toBeUndefined();
  expect(await run('function f(n) { return n + 1; }', [1])).toEqual(['2']);
});

it('has nothing of this process, nor of the program before it', async () => {
  await run('globalThis.secret = 42; Array.prototype.map = () => [0]; function f() { return 1; }', []);
  const names = ['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', 'Buffer', 'Worker', 'secret'];
  const source = `function f() {
    return [${names.map((name) => `typeof ${name}`).join()}, typeof f.constructor.constructor("return this")().process, [1].map((n) => n + 1)];
  }`;
  expect(await run(source, [])).toEqual([JSON.stringify([...Array(9).fill('undefined'), [2]])]);
  expect(await run('function f() { return import("node:fs").then(() => 1); }', [])).not.toEqual(['1']);
});

it('is one of many that are asked for at once, and each gets its own values', async () => {
  const all = Array.from({ length: 20 }, (_, n) => run(`function f() { return ${n}; }`, []));
  expect((await Promise.all(all)).map((one) => one?.[0])).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
});

/** One of the problems of each name, with values worked out by hand. */
const VALUES: Readonly<Record<string, readonly (readonly [given: readonly unknown[], value: unknown])[]>> = {
  sumOfMultiples: [[[[0, 3, -3, 6, 7]], 6]],
  shiftLetters: [[['Zebra, yak!'], 'Bgdtc, acm!']],
  everyNth: [[[[1, 2, 3, 4, 5]], [2, 4]]],
  packRuns: [[['aabccc'], 'a2bc3']],
  topWords: [[['b a b c a d'], ['a', 'b']]],
  inBase: [[[-27], '-102']],
  fullestBag: [[[[6, 5, 4], 10], 10]],
  changeCost: [[['kitten', 'sitting'], 3]],
  waysUp: [[[5], 8]],
};

it.each(Object.entries(VALUES))('the right program of %s returns what it should', async (name, values) => {
  const source = Object.values(PROBLEMS)
    .flat()
    .find((problem) => problem.name === name)?.right;
  const calls = values.map(([given]) => given);
  const returned = await runProgram({ source: source ?? '', functionName: name, calls });
  expect(returned).toEqual(values.map(([, value]) => JSON.stringify(value)));
});

it('every problem comes once before any comes again', () => {
  const problems = makeTasks({ seed: 3, count: 54, kinds: ['code'] }).map(({ prompt }) => prompt);
  expect(new Set(problems).size).toBe(54);
  expect(new Set(Object.values(PROBLEMS).flatMap((all) => all.map(({ name }) => name)))).toEqual(
    new Set(Object.keys(VALUES)),
  );
});

it('programs that return the same are one vote, whatever they look like', async () => {
  const [task] = makeTasks({ seed: 3, count: 1, kinds: ['code'] });
  const comesTo = async (answer: string) => (await task?.check(answer))?.comesTo;
  const right = task?.expected ?? '';
  expect(await comesTo(right.replace('{', '{ // spelt otherwise'))).toBe(await comesTo(right));
  const others = await Promise.all([...(task?.wrong ?? []), 'I would use a loop.'].map(comesTo));
  expect(new Set([await comesTo(right), ...others]).size).toBe(others.length + 1);
});
