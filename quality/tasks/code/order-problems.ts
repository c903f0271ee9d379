import type { CodeProblem } from './code-problem.ts';

type Order = 'usual' | 'sums first' | 'from the left';

const ORDER_WORDS: Readonly<Record<Order, string>> = {
  usual: 'products are worked out before sums',
  'sums first': 'sums are worked out before products, so that 2*3+4 is 14',
  'from the left': 'all is worked out from the left to the right, so that 2+3*4 is 20',
};

const ORDERED: Readonly<Record<Order, string>> = {
  usual:
    "text.split('+').reduce((sum, part) => sum + part.split('*').reduce((product, n) => product * Number(n), 1), 0)",
  'sums first':
    "text.split('*').reduce((product, part) => product * part.split('+').reduce((sum, n) => sum + Number(n), 0), 1)",
  'from the left':
    "text.match(/[+*]?\\d+/g).reduce((all, part) => (part[0] === '*' ? all * Number(part.slice(1)) : all + Number(part.replace('+', ''))), 0)",
};

/** Sums and products in a text, by several rules of what comes first. */
export const ORDER_PROBLEMS: readonly CodeProblem[] = (['usual', 'sums first', 'from the left'] as const).map(
  workedOut,
);

function workedOut(order: Order): CodeProblem {
  const program = (by: Order): string => `function workedOut(text) {
  return ${ORDERED[by]};
}`;
  const operators = { '+': (a: number, b: number) => a + b, '*': (a: number, b: number) => a * b };
  const rank: Readonly<Record<Order, Readonly<Record<string, number>>>> = {
    usual: { '*': 2, '+': 1 },
    'sums first': { '*': 1, '+': 2 },
    'from the left': { '*': 1, '+': 1 },
  };
  const solve = (text: string): number => {
    const numbers = text.split(/[+*]/).map(Number);
    const signs = text.match(/[+*]/g) ?? [];
    while (signs.length > 0) {
      const highest = Math.max(...signs.map((sign) => rank[order][sign] ?? 0));
      const at = signs.findIndex((sign) => rank[order][sign] === highest);
      const sign = signs[at] as '+' | '*';
      numbers.splice(at, 2, operators[sign](numbers[at] ?? 0, numbers[at + 1] ?? 0));
      signs.splice(at, 1);
    }
    return numbers[0] ?? 0;
  };
  const [one, other] = (Object.keys(ORDERED) as Order[]).filter((by) => by !== order);
  return {
    name: 'workedOut',
    parameters: 'text',
    statement: `It takes a text of whole numbers with "+" or "*" between them, such as "2+3*4", without spaces, and returns what that comes to, where ${ORDER_WORDS[order]}.`,
    solve,
    input: (random) => [
      Array.from({ length: random.between(3, 5) }, () => String(random.between(1, 9))).reduce(
        (text, number) => `${text}${random.pick(['+', '*'])}${number}`,
      ),
    ],
    edges: [['7'], ['2+3*4'], ['2*3+4'], ['1+2*3+4*5'], ['10*2+3']],
    right: program(order),
    wrong: [program(one ?? 'usual'), program(other ?? 'usual')],
  };
}
