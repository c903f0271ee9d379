import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeWithFirebaseCli } from '../support/firebase-cli';
import { temporaryDirectory } from '../support/temporary-directory';

/** Where the pages of the Emulator UI cannot be downloaded, the emulators start without it and say why. */

const FUNCTIONS = join(__dirname, '..', '..');
const MODULE = pathToFileURL(join(FUNCTIONS, 'scripts', 'emulator-ui.mjs')).href;
const PROGRAM = `const { withEmulatorUi } = await import(process.argv[1]);
  const { config, address, reason, remove } = await withEmulatorUi(process.argv[2]);
  const used = (await import('node:fs')).readFileSync(config, 'utf8');
  remove();
  console.log(JSON.stringify({ config, address, reason, used: JSON.parse(used) }));`;
/** Where nothing listens: whoever is to go through here reaches nobody. */
const NOWHERE = 'http://127.0.0.1:9';

interface Ui {
  readonly config: string;
  readonly address?: string;
  readonly reason?: string;
  readonly used: unknown;
}

describeWithFirebaseCli('the Emulator UI, without a network', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(() => directory.remove());

  const withUi = (emulators: object): Promise<Ui> => {
    const config = join(directory.path, 'firebase.json');
    writeFileSync(config, JSON.stringify({ emulators }));
    const proxies = { https_proxy: NOWHERE, HTTPS_PROXY: NOWHERE, http_proxy: NOWHERE, HTTP_PROXY: NOWHERE };
    const env = {
      PATH: process.env['PATH'],
      HOME: directory.path,
      FIREBASE_EMULATORS_PATH: directory.path,
      ...proxies,
    };
    const args = ['--input-type=module', '-e', PROGRAM, MODULE, config];
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, { cwd: FUNCTIONS, env }, (error, stdout) =>
        error ? reject(error) : resolve(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')),
      );
    });
  };

  it('is left out of a configuration of its own, beside the project’s, and nothing stays', async () => {
    const emulators = { auth: { port: 9099 }, ui: { enabled: true, port: 4000 } };
    const { config, address, reason, used } = await withUi(emulators);
    expect({ address, reason }).toEqual({ address: undefined, reason: expect.stringMatching(/./) });
    expect(used).toEqual({ emulators: { ...emulators, ui: { enabled: false } } });
    expect(config.startsWith(directory.path)).toBe(true);
    expect(existsSync(config)).toBe(false);
    expect(readdirSync(directory.path)).toContain('firebase.json');
  });
});
