import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describeWithFirebaseCli } from '../support/firebase-cli';
import { temporaryDirectory } from '../support/temporary-directory';

/** `npm run logs`: the Firebase CLI shows those of a deployed project. */

const FUNCTIONS = join(__dirname, '..', '..');

/** Its output as that of somebody who has never signed in anywhere. */
function logs(args: readonly string[], home: string) {
  const env = { PATH: process.env['PATH'], HOME: home, METADATA_SERVER_DETECTION: 'none' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/logs.mjs', ...args], {
    cwd: FUNCTIONS,
    env,
    encoding: 'utf8',
  });
  return { status, lines: (stdout + stderr).trim().split('\n') };
}

describe('npm run logs', () => {
  it.each([[[]], [['--project', 'demo-ensemble']], [['-P', 'default', '-n', '5']]])(
    'says in a line that it needs a deployed project, given %j',
    (args) => {
      const which = 'Only a deployed project has logs, not demo-ensemble.';
      const lines = [`${which} Name yours: npm run logs -- --project <project id>`];
      expect(logs(args, FUNCTIONS)).toEqual({ status: 1, lines });
    },
  );
});

describeWithFirebaseCli('npm run logs of a project', () => {
  it('asks the Firebase CLI, which wants somebody to be signed in', async () => {
    const home = await temporaryDirectory();
    const { status, lines } = logs(['--project', 'some-project', '-n', '5'], home.path);
    await home.remove();
    expect(status).not.toBe(0);
    expect(lines.join('\n')).toContain('have you run firebase login');
  });
});
