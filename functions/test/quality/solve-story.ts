/** Works a story of the arithmetic tasks out from its words, apart from what made it: with fractions, which must vanish. */

type Amounts = Map<string, number>;
interface Rule {
  readonly pattern: RegExp;
  take(amounts: Amounts, words: readonly string[]): void;
}

const PARTS: Readonly<Record<string, number>> = { half: 1 / 2, 'a third': 1 / 3, 'a quarter': 1 / 4 };

const RULES: readonly Rule[] = [
  { pattern: /^(\w+) has (\d+) \w+$/, take: (all, [who = '', count]) => all.set(who, Number(count)) },
  { pattern: /^(\w+) buys (\d+) more \w+$/, take: (all, [who = '', count]) => add(all, who, Number(count)) },
  {
    pattern: /^(\w+) gets (\d+) bags with (\d+) \w+ in each bag$/,
    take: (all, [who = '', bags, each]) => add(all, who, Number(bags) * Number(each)),
  },
  {
    pattern: /^(\w+) gives (\d+) \w+ to (\w+)$/,
    take: (all, [who = '', count, other = '']) => move(all, who, other, Number(count)),
  },
  {
    pattern: /^(\w+) then gives (half|a third|a quarter) of all the \w+ that \1 has to (\w+)$/,
    take: (all, [who = '', part = '', other = '']) =>
      move(all, who, other, has(all, who) * (PARTS[part] ?? Number.NaN)),
  },
  {
    pattern: /^(\w+) then sells (\d+) percent of the \w+ that \1 has$/,
    take: (all, [who = '', percent]) => all.set(who, (has(all, who) * (100 - Number(percent))) / 100),
  },
  {
    pattern: /^(\w+) then buys as many \w+ as (\w+) has$/,
    take: (all, [who = '', other = '']) => add(all, who, has(all, other)),
  },
  {
    pattern: /^(\w+) then gives (\w+) just enough \w+ for both to have the same number$/,
    take: (all, [who = '', other = '']) => move(all, who, other, (has(all, who) - has(all, other)) / 2),
  },
];

const QUESTIONS: readonly { readonly pattern: RegExp; count(amounts: Amounts, words: readonly string[]): number }[] = [
  { pattern: /^How many \w+ does (\w+) have in the end\?$/, count: (all, [who = '']) => has(all, who) },
  { pattern: /^How many \w+ do \w+ and \w+ have together in the end\?$/, count: total },
  {
    pattern: /^In the end, how many more \w+ has the person with the most than the person with the fewest\?$/,
    count: (all) => {
      const sorted = [...all.values()].sort((a, b) => a - b);
      return (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
    },
  },
  {
    pattern: /^In the end, (\w+) sells everything for (\d+) cents apiece\. How many cents does \1 get\?$/,
    count: (all, [who = '', cents]) => has(all, who) * Number(cents),
  },
  {
    pattern: /^In the end, all three sell everything for (\d+) cents apiece\. How many cents do they get together\?$/,
    count: (all, [cents]) => total(all) * Number(cents),
  },
  {
    pattern:
      /^In the end, they put all their \w+ together into boxes that hold (\d+) each\. How many boxes do they need\?$/,
    count: (all, [each]) => (total(all) + ((Number(each) - (total(all) % Number(each))) % Number(each))) / Number(each),
  },
];

/** The number that is asked for at the end of a story. */
export function solveStory(text: string): number {
  const asked = text.search(/(?:How many|In the end,)[^?]*\?/);
  const amounts: Amounts = new Map();
  for (const sentence of text
    .slice(0, asked)
    .split('.')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const rule = RULES.find(({ pattern }) => pattern.test(sentence));
    if (!rule) throw new Error(`not understood: ${sentence}`);
    rule.take(amounts, rule.pattern.exec(sentence)?.slice(1) ?? []);
  }
  const question = text.slice(asked).trim();
  const asking = QUESTIONS.find(({ pattern }) => pattern.test(question));
  if (!asking) throw new Error(`not understood: ${question}`);
  return asking.count(amounts, asking.pattern.exec(question)?.slice(1) ?? []);
}

function has(amounts: Amounts, who: string): number {
  return amounts.get(who) ?? Number.NaN;
}

function add(amounts: Amounts, who: string, count: number): void {
  amounts.set(who, has(amounts, who) + count);
}

function move(amounts: Amounts, from: string, to: string, count: number): void {
  add(amounts, from, -count);
  add(amounts, to, count);
}

function total(amounts: Amounts): number {
  return [...amounts.values()].reduce((sum, amount) => sum + amount);
}
