// Plays npm in the build of the image where it is tested without a builder: what `npm ci` would fetch is what it has put
// into functions/node_modules from the same lockfile, and the lockfile says what `npm prune --omit=dev` leaves.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';

const { INSTALLED } = process.env;
const COMMANDS = { ci: install, prune };

const [command, ...options] = process.argv.slice(2);
if (!(command in COMMANDS) || !options.includes('--ignore-scripts')) throw new Error(`no stand-in for npm ${command}`);
COMMANDS[command]();

function install() {
  mkdirSync('node_modules');
  for (const name of readdirSync(INSTALLED)) {
    if (!name.startsWith('.')) symlinkSync(`${INSTALLED}/${name}`, `node_modules/${name}`);
  }
}

/** Leaves the files that a build has put beside the packages, as npm itself does. */
function prune() {
  if (!options.includes('--omit=dev')) throw new Error('npm prune without --omit=dev');
  for (const entry of readdirSync('node_modules', { withFileTypes: true })) {
    if (entry.isSymbolicLink()) unlinkSync(`node_modules/${entry.name}`);
  }
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const kept = Object.keys(packages).filter((path) => path !== '' && !packages[path].dev);
  for (const path of kept) {
    const from = path.replace('node_modules', INSTALLED);
    // Optional packages of other platforms are in the lockfile alone. A package inside another comes as a row of its own.
    const isOwn = (file) => !file.slice(from.length).includes('/node_modules');
    if (existsSync(from)) cpSync(from, path, { recursive: true, filter: isOwn });
  }
}
