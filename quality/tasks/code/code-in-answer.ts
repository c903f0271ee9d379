/** The program in an answer. */
export interface AnswerCode {
  readonly source: string;
  /** True if it stands in one fenced block, and there is no other. */
  readonly hasForm: boolean;
}

const FENCE_LINE = /^[ \t]{0,12}(`{3,}|~{3,})/;
const EXPORT = /^[ \t]{0,12}export[ \t]{1,12}(?:default[ \t]{1,12})?(?=(?:async |function|const|let|var|class))/;

/** The code that defines `functionName`: the last fenced block that does, or the whole text where there is no block. */
export function codeInAnswer(answer: string, functionName: string): AnswerCode {
  const blocks = fencedBlocks(answer);
  const defining = blocks.filter((block) => defines(block, functionName));
  const source = defining.at(-1) ?? (blocks.length === 0 ? answer : '');
  return {
    source: source
      .split('\n')
      .map((line) => line.replace(EXPORT, ''))
      .join('\n'),
    hasForm: blocks.length === 1 && defining.length === 1,
  };
}

function defines(source: string, name: string): boolean {
  return [`function ${name}`, `const ${name}`, `let ${name}`, `var ${name}`].some((start) => source.includes(start));
}

/** The contents of fenced blocks, closed or not. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE_LINE.exec(line)?.[1];
    if (open === undefined) {
      if (mark !== undefined) open = { mark, lines: [] };
    } else if (mark?.startsWith(open.mark)) {
      blocks.push(open.lines.join('\n'));
      open = undefined;
    } else open.lines.push(line);
  }
  if (open) blocks.push(open.lines.join('\n'));
  return blocks;
}
