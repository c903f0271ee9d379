import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, stop } from 'esbuild';

/** CONTRIBUTING.md can be followed: its first change is one, and what it names is there. */

const ROOT = join(__dirname, '..', '..', '..');
const PAGE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The blocks of a language, without the indentation of the list they stand in. */
function blocks(language: string): string[] {
  const found = PAGE.matchAll(new RegExp(`^( *)\`\`\`${language}\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm'));
  return [...found].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

const [writeTest = '', addPhrase = '', ...others] = blocks('diff');

/** What a mask of Claude's name makes of a text, with this code of its module, in a process of its own. */
async function masked(code: string, { path, text }: { path: string; text: string }): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: 'ts', resolveDir: dirname(join(ROOT, path)), sourcefile: path },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'iife',
    globalName: 'read',
  });
  const asked = `process.stdout.write(read.authorMask(['claude-sonnet-5', 'Claude Sonnet 5'], [])(${JSON.stringify(text)}))`;
  return execFileSync(process.execPath, ['-'], { input: `${outputFiles[0]?.text}\n${asked}`, encoding: 'utf8' });
}

/** A file as it is, and as it is once a diff has been applied to it. */
function changed(diff: string): { path: string; before: string; after: string } {
  const path = /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1] ?? '';
  const copy = mkdtempSync(join(tmpdir(), 'ensemble-contributing-'));
  try {
    cpSync(join(ROOT, path), join(copy, path));
    // Within a repository git would look for the files of that one.
    const env = { PATH: process.env['PATH'], GIT_CEILING_DIRECTORIES: tmpdir() };
    execFileSync('git', ['apply', '-'], { cwd: copy, input: diff, env });
    return { path, before: readFileSync(join(ROOT, path), 'utf8'), after: readFileSync(join(copy, path), 'utf8') };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** The rows of the table of texts in the test of the first change: what is written, and what is shown of it. */
function rowsOf(test: string): [text: string, shown: string][] {
  const table = /const HIDDEN: .*? = (\[\n[\s\S]*?\n\]);/.exec(test)?.[1] ?? '[]';
  return new Function(`return ${table}`)();
}

describe('the first change', () => {
  afterAll(() => stop());

  it('is a test that fails for the reason given, and a line that makes it pass', async () => {
    const [test, phrases] = [changed(writeTest), changed(addPhrase)];
    const [[text, shown] = ['', ''], ...more] = rowsOf(test.after).filter(
      ([written]) => !rowsOf(test.before).some(([known]) => known === written),
    );
    expect(more).toEqual([]);
    const results: string[] = [];
    for (const code of [phrases.before, phrases.after]) results.push(await masked(code, { path: phrases.path, text }));
    expect(results).toEqual([text, shown]);
    expect([text, shown].map((line) => line.split('\n').at(-1))).toEqual(['Claude', '[a model]']);
    expect(PAGE).toContain('it expected `[a model]` and received `Claude`');
    expect(others).toEqual([]);
  });

  it('names in its steps the files that it changes', () => {
    const changed = [writeTest, addPhrase].map((diff) => /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1]);
    const named = [...PAGE.matchAll(/^\d\. .*line in `([^`]+)`/gm)].map(([, path]) => path);
    expect(named).toEqual(changed);
  });

  it('runs commands that the table below explains', () => {
    const commands = blocks('sh').flatMap((block) => block.trim().split('\n'));
    const used = new Set(commands.flatMap((command) => /^npm run [a-z:]+/.exec(command)?.[0] ?? []));
    expect(used).toEqual(new Set(['npm run test:unit', 'npm run check']));
    for (const command of used) expect(PAGE).toContain(`| \`${command}\` |`);
  });
});

describe('CONTRIBUTING.md', () => {
  it('names files and folders that are there', () => {
    const pieces = [...PAGE.matchAll(/`([^`\n]+)`/g)].map(([, piece = '']) => piece);
    const paths = pieces.filter((piece) => /^\.?[\w-]+(\/[\w.-]+)+$/.test(piece));
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('explains every script of the root folder that is for those who change the code', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const checks = Object.keys(scripts).filter((name) => /^(check|fix|test|bench|mutation|record)/.test(name));
    const missing = checks.filter((name) => !PAGE.includes(`npm ${name === 'test' ? '' : 'run '}${name}`));
    expect(missing).toEqual([]);
  });
});
