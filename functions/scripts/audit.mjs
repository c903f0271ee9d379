// Asks the registry which known weaknesses there are in what is deployed: the packages that are installed in production,
// and those whose code is in lib/, which are development dependencies. `npm audit --omit=dev` looks at the first only.
// Ends with 1 where there are any, and with 2 where the registry did not say: mirrors often take no such question.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { ensureBuilt } from './ensure-built.mjs';
import { npmCommand } from './npm-command.mjs';

const DEPLOYED = /^(?:index|(?:sdk|check)-[a-z]+)\.js\.map$/;

ensureBuilt();
const deployed = new Set([...installedInProduction(), ...bundled()]);
const known = weaknesses();
if (typeof known === 'string') {
  console.error(`The registry could not be asked about the ${deployed.size} packages that are deployed: ${known}`);
  console.error('To ask another: npm_config_registry=URL npm run audit');
  process.exit(2);
}
const found = known.filter(({ nodes }) => nodes.some((node) => deployed.has(node)));
for (const { name, reports } of found) {
  for (const { severity, title, url } of reports) console.error(`${name} (${severity}): ${title} ${url}`);
}
console.log(`${deployed.size} packages are deployed; ${found.length} of them have known weaknesses.`);
process.exitCode = found.length > 0 ? 1 : 0;

function installedInProduction() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.keys(packages).filter((path) => path !== '' && !packages[path].dev);
}

/** The folders of the packages whose code the source maps of lib/ name. */
function bundled() {
  const maps = readdirSync('lib').filter((file) => DEPLOYED.test(file));
  const sources = maps.flatMap((file) => JSON.parse(readFileSync(`lib/${file}`, 'utf8')).sources);
  return sources.flatMap((path) => /^\.\.\/((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
}

/** The packages that are themselves reported on; npm also lists those that merely depend on one. Or why nobody knows. */
function weaknesses() {
  const [npm, ...words] = npmCommand(['audit', '--json']);
  const { stdout, error } = spawnSync(npm, words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (error) return error.message;
  const { vulnerabilities, message = 'npm said nothing' } = parsed(stdout);
  if (!vulnerabilities) return message;
  return Object.values(vulnerabilities)
    .map(({ name, nodes, via }) => ({ name, nodes, reports: via.filter((one) => typeof one === 'object') }))
    .filter(({ reports }) => reports.length > 0);
}

/** What npm printed; nothing where that is no JSON, as when it ends early. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
