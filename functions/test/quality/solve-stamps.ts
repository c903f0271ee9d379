type Change = (count: number, by: number) => number;

/** What words of each language do to the number of stamps; the first that is found counts. */
const WORDS: readonly (readonly [RegExp, Change])[] = [
  [/times what it was|-mal so viele|fois ce qu’il était|veces el que era|前の/, (count, by) => count * by],
  [/given away|verschenkt|sont donnés|se regalan|あげました/, (count, by) => count - by],
  [/more stamps come|dazu|de plus|más|届きました/, (count, by) => count + by],
  [/ has \d|hat \d|possède|tiene \d|持っています/, (_, by) => by],
];

/** Answers the question of a language task sentence by sentence, apart from what made it. */
export function solveStamps(prompt: string): number {
  const story = prompt.split('\n\n')[0] ?? '';
  return story
    .split(/(?<=[.。])/)
    .flatMap((sentence) => {
      const by = /\d+/.exec(sentence)?.[0];
      const change = WORDS.find(([words]) => words.test(sentence))?.[1];
      return by === undefined || change === undefined ? [] : [(count: number) => change(count, Number(by))];
    })
    .reduce((count, change) => change(count), 0);
}
