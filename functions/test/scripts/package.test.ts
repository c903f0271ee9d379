import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { describeWithFirebaseCli, FIREBASE_TOOLS } from '../support/firebase-cli';

/** The upload to Cloud Build: its files, and the packages that are installed beside them. */

const FUNCTIONS = join(__dirname, '..', '..');

function readJson(file: string) {
  return JSON.parse(readFileSync(join(FUNCTIONS, file), 'utf8'));
}

/** Files that a start does not read: the SDKs, and engines for checks. */
const LAZY_FILES = [
  'check-language',
  'check-regex',
  'sdk-anthropic',
  'sdk-firestore',
  'sdk-google',
  'sdk-mcp',
  'sdk-openai',
].map((name) => `${name}.js`);
const BUNDLE = ['index.js', ...LAZY_FILES];
/** The reference page, and its renderer with its licence. */
const PAGE_FILES = [
  'LICENSE',
  'NOTICE',
  'index.html',
  'reference.js',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.gz',
  'swagger-ui.css',
  'swagger-ui.css.gz',
];

/** The modules that are in a built file. */
function modulesIn(file: string): readonly string[] {
  return readJson(join('lib', `${file}.map`)).sources;
}

/** Packages that code would load which the MCP SDK writes for checks that nothing here makes. */
const NAMED_ONLY = ['ajv', 'ajv-formats'];

/** Modules that a built file loads and that are not in it. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(FUNCTIONS, 'lib', file), 'utf8');
  return [...text.matchAll(/\b(?:require|import)\("([^"]+)"\)/g)].map(([, name = '']) => name);
}

describe('the bundle', () => {
  it('needs no package that is not installed in production, and no file that is not built', () => {
    const loaded = BUNDLE.flatMap(loadedBy).filter((name) => !isBuiltin(name));
    const files = loaded.filter((name) => name.startsWith('.'));
    expect([...new Set(files)].sort()).toEqual(LAZY_FILES.map((file) => `./${file}`));
    const packages = loaded.filter((name) => !name.startsWith('.')).map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    const needed = new Set(packages.filter((name = '') => !NAMED_ONLY.includes(name)));
    expect(needed).toContain('firebase-admin');
    expect(Object.keys(readJson('package.json').dependencies)).toEqual(expect.arrayContaining([...needed]));
  });

  it('has no code of a package that is not listed under dependencies', () => {
    const bundled = BUNDLE.flatMap(modulesIn).flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    expect(bundled).toContain('openai');
    const { devDependencies } = readJson('package.json');
    expect([...new Set(bundled)].filter((name) => name in devDependencies)).toEqual([]);
  });

  it('has the code of no SDK, and of no engine for checks, in what a start reads', () => {
    const lazy = /node_modules\/(openai|@anthropic-ai|@google|@modelcontextprotocol|re2js|tinyld)\//;
    expect(modulesIn('index.js').filter((path) => lazy.test(path))).toEqual([]);
    for (const file of LAZY_FILES) expect(modulesIn(file).length).toBeGreaterThan(0);
  });
});

describeWithFirebaseCli('the upload', () => {
  it('has the bundle, the SDKs, the reference page, the package and its lockfile, and nothing else', () => {
    const [{ ignore }] = readJson('../firebase.json').functions;
    const program = `require(process.argv[1]).readdirRecursive({ path: process.argv[2], ignoreStrings: JSON.parse(process.argv[3]) })
      .then((files) => console.log(JSON.stringify(files.map(({ name }) => name))))`;
    const args = ['-e', program, join(FIREBASE_TOOLS, 'lib', 'fsAsync.js'), FUNCTIONS, JSON.stringify(ignore)];
    const files = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
    const names = files.map((file) => relative(FUNCTIONS, file)).sort();
    const built = ['index.cjs', ...BUNDLE, ...PAGE_FILES.map((file) => `page/${file}`)]
      .sort()
      .map((file) => `lib/${file}`);
    expect(names).toEqual([...built, 'package-lock.json', 'package.json']);
  });
});
