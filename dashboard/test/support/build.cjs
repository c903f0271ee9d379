const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

/** Builds dist/ when it is not what the sources make. */
module.exports = () => {
  execFileSync(process.execPath, [join(__dirname, '../../scripts/build.mjs')], { stdio: 'inherit' });
};
