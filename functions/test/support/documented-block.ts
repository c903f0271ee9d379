import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'self-hosting.md'), 'utf8');

/** The only block of a language in docs/self-hosting.md, with what is of another machine replaced, each of it once. */
export function documentedBlock(language: string, replaced: Readonly<Record<string, string>> = {}): string {
  const blocks = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))];
  const [, block = ''] = blocks[0] ?? [];
  if (blocks.length !== 1) throw new Error(`${blocks.length} blocks of ${language}`);
  return Object.entries(replaced).reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`${from} does not stand there once`);
    return text.replace(from, () => to);
  }, block);
}
