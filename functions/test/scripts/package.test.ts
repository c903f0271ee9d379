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

describe('the bundle', () => {
  it('needs no package that is not installed in production', () => {
    const bundle = readFileSync(join(FUNCTIONS, 'lib', 'index.js'), 'utf8');
    const loaded = [...bundle.matchAll(/\b(?:require|import)\("([^"]+)"\)/g)].map(([, name = '']) => name);
    const packages = loaded.filter((name) => !isBuiltin(name)).map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    const needed = new Set(packages);
    expect(needed).toContain('firebase-admin');
    expect(Object.keys(readJson('package.json').dependencies)).toEqual(expect.arrayContaining([...needed]));
  });

  it('brings what starts it: its own entry point, and the Functions Framework in the version tested', () => {
    const { main, dependencies } = readJson('package.json');
    expect(main).toBe('lib/index.js');
    expect(dependencies).toMatchObject({
      '@google-cloud/functions-framework': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });
});

describeWithFirebaseCli('the upload', () => {
  it('has the bundle, the package and its lockfile, and nothing else', () => {
    const [{ ignore }] = readJson('../firebase.json').functions;
    const program = `require(process.argv[1]).readdirRecursive({ path: process.argv[2], ignoreStrings: JSON.parse(process.argv[3]) })
      .then((files) => console.log(JSON.stringify(files.map(({ name }) => name))))`;
    const args = ['-e', program, join(FIREBASE_TOOLS, 'lib', 'fsAsync.js'), FUNCTIONS, JSON.stringify(ignore)];
    const files = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
    const names = files.map((file) => relative(FUNCTIONS, file)).sort();
    expect(names).toEqual(['lib/index.js', 'package-lock.json', 'package.json']);
  });
});
