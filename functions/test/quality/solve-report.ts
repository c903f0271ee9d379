/** Answers the question of a needle task by looking the code up, apart from what made the report. */
export function solveReport(prompt: string): string {
  const site = /With which code does the door of the (\w+ \w+) open\?/.exec(prompt)?.[1] ?? '';
  return codeOf(prompt.split('\n\n'), site, 2);
}

function codeOf(paragraphs: readonly string[], site: string, steps: number): string {
  const own = paragraphs.filter((paragraph) => paragraph.startsWith(`The ${site} `));
  if (own.length !== 1 || steps === 0) return 'none';
  const code = /Its door opens with the code (\d{4})\./.exec(own[0] ?? '')?.[1];
  const other = /has had the same code as the (\w+ \w+)\./.exec(own[0] ?? '')?.[1] ?? '';
  return code ?? codeOf(paragraphs, other, steps - 1);
}
