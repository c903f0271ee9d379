/** One instruction of a Dockerfile: its flags (`--from=build`), and what follows as words and as it is written. */
export interface Instruction {
  readonly name: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  readonly text: string;
}

/** What stands between one FROM and the next. */
export interface Stage {
  readonly base: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** Reads the part of the Dockerfile language that ours uses: comments, ARGs before the first FROM, JSON lists and words. */
export function parseDockerfile(source: string): Stage[] {
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  const defaults = new Map<string, string>();
  for (const line of logicalLines(source)) {
    const instruction = parseInstruction(line);
    const [first = '', as, name] = instruction.words;
    if (instruction.name === 'ARG') {
      const [variable = '', value = ''] = split(first, '=');
      defaults.set(variable, value);
    } else if (instruction.name === 'FROM') {
      const base = first.replace(/\$\{(\w+)\}/g, (_, variable: string) => defaults.get(variable) ?? '');
      stages.push({ base, name: as === 'AS' && name ? name : String(stages.length), instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${instruction.name} before FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

function logicalLines(source: string): string[] {
  const kept = source.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return kept
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n');
}

function parseInstruction(line: string): Instruction {
  const [name, rest] = split(line, ' ');
  const flags: Record<string, string> = {};
  const text = rest.trim().replace(/^(?:--\S+\s+)+/, (words) => {
    for (const [, flag = '', value = ''] of words.matchAll(/--([\w-]+)=(\S+)/g)) flags[flag] = value;
    return '';
  });
  return { name, flags, text, words: text.startsWith('[') ? (JSON.parse(text) as string[]) : text.split(/\s+/) };
}

function split(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + by.length)];
}
