const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

/** Builds lib/ when it is not what the sources make. */
module.exports = () => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: join(__dirname, '..', '..'), stdio: 'inherit' });
};
