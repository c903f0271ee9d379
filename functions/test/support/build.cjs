const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

const FUNCTIONS = join(__dirname, '..', '..');

/** Builds lib/ and the pages of the dashboard where they are not what the sources make. */
module.exports = () => {
  for (const script of ['scripts/build.mjs', '../dashboard/scripts/build.mjs']) {
    execFileSync(process.execPath, [script], { cwd: FUNCTIONS, stdio: 'inherit' });
  }
};
