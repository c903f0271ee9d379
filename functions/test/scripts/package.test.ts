import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { describeWithFirebaseCli, FIREBASE_TOOLS } from '../support/firebase-cli';

/** What reaches Cloud Build: the files that are uploaded, and the packages it installs beside them. */

const FUNCTIONS = join(__dirname, '..', '..');

function readJson(file: string) {
  return JSON.parse(readFileSync(join(FUNCTIONS, file), 'utf8'));
}

/** The bundle, and the SDKs that it loads when they are needed. */
const SDK_FILES = ['sdk-anthropic.js', 'sdk-firestore.js', 'sdk-google.js'];
/** What requests with checks need, likewise. */
const CHECK_FILES = ['check-language.js', 'check-regex.js'];
const LAZY_FILES = [...CHECK_FILES, ...SDK_FILES];
const BUNDLE = ['index.js', ...LAZY_FILES];
/** The reference page, and its renderer with its licence. */
const PAGE_FILES = ['LICENSE', 'NOTICE', 'index.html', 'reference.js', 'swagger-ui-bundle.js', 'swagger-ui.css'];

/** The modules that are in a built file. */
function modulesIn(file: string): readonly string[] {
  return readJson(join('lib', `${file}.map`)).sources;
}

/** What a built file loads that is not in it. */
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
    const needed = new Set(packages);
    expect(needed).toContain('firebase-admin');
    expect(Object.keys(readJson('package.json').dependencies)).toEqual(expect.arrayContaining([...needed]));
  });

  it('has beside it no package whose code it holds: what is only bundled is a development dependency', () => {
    const needed = BUNDLE.flatMap(loadedBy).map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    // Firebase asks the first for the functions, the second serves them, the third is started in a thread.
    const apart = ['firebase-functions', '@google-cloud/functions-framework', 'unpdf'];
    const installed = Object.keys(readJson('package.json').dependencies);
    expect(installed.filter((name) => ![...apart, ...needed].includes(name))).toEqual([]);
  });

  it('asks for the one Firestore client that there is, which npm must not leave out on an older Node', () => {
    const { packages } = readJson('package-lock.json');
    const clients = Object.keys(packages).filter((path) =>
      /(?:^|\/)node_modules\/@google-cloud\/firestore$/.test(path),
    );
    expect(clients).toEqual(['node_modules/@google-cloud/firestore']);
    expect(packages['node_modules/@google-cloud/firestore']).not.toHaveProperty('optional');
  });

  it('has the code of no SDK, and of no engine for checks, in what a start reads', () => {
    const sdks = modulesIn('index.js').filter((path) => /node_modules\/(openai|@anthropic-ai|@google)\//.test(path));
    expect(sdks).toEqual([]);
    expect(modulesIn('index.js').filter((path) => /node_modules\/(re2js|tinyld)\//.test(path))).toEqual([]);
    for (const file of LAZY_FILES) expect(modulesIn(file).length).toBeGreaterThan(0);
  });

  it('has no character outside Latin-1 in what a start reads: V8 would take two bytes for each of its characters', () => {
    for (const file of ['index.js', 'sdk-firestore.js']) {
      expect(
        readFileSync(join(FUNCTIONS, 'lib', file), 'utf8').match(/.{0,20}[\u0100-\uffff].{0,20}/)?.[0],
      ).toBeUndefined();
    }
  });

  it('brings Google’s SDK without its authentication library, protocol buffers and WebSocket client', () => {
    const names = modulesIn('sdk-google.js').map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
    expect([...new Set(names)].sort()).toEqual(['@google/genai', 'p-retry', 'retry']);
  });

  it('brings Firestore’s client without its interfaces for administration, policies, operations and locations', () => {
    const text = readFileSync(join(FUNCTIONS, 'lib', 'sdk-firestore.js'), 'utf8');
    expect(text).toContain('BatchGetDocumentsRequest');
    const others = ['ExportDocuments', 'TestIamPermissions', 'ListOperations', 'ListLocations'].map(
      (call) => `${call}Request`,
    );
    expect(others.filter((name) => text.includes(name))).toEqual([]);
  });

  it('brings what starts it: its own entry point, and the Functions Framework in the version tested', () => {
    const { main, dependencies } = readJson('package.json');
    expect(main).toBe('lib/index.cjs');
    expect(dependencies).toMatchObject({
      '@google-cloud/functions-framework': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
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
