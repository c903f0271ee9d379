const { execFileSync } = require('node:child_process');
const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const FUNCTIONS = join(__dirname, '..', '..');

/** Builds lib/ when it is missing, or older than what it is made of. */
module.exports = () => {
  const sources = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(FUNCTIONS, folder), { recursive: true }).map((file) => join(folder, file)),
  );
  const changedMs = Math.max(...['package-lock.json', ...sources].map(modifiedMs));
  const builtMs = Math.min(...['index', 'admin', 'seed', 'sdk-google'].map((name) => modifiedMs(`lib/${name}.js`)));
  if (builtMs > changedMs) return;
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: FUNCTIONS, stdio: 'inherit' });
};

function modifiedMs(file) {
  return statSync(join(FUNCTIONS, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
