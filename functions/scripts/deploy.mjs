// `firebase deploy`, after telling in one list what it would stumble over. `--check` only tells.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseProject, dotenvProblems, projectProblems, secretProblems } from './deploy-check.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

ensureBuilt();
const { values, tokens } = parseArgs({
  options: { project: { type: 'string', short: 'P' }, check: { type: 'boolean', default: false } },
  strict: false,
  tokens: true,
});
const { projects } = JSON.parse(readFileSync('../.firebaserc', 'utf8'));
const project = chooseProject(values.project, projects);

const secrets = secretsOfFunction();
const problems = [...projectProblems(project), ...dotenvProblems('.', project, secrets)];
if (projectProblems(project).length === 0) problems.push(...(await secretProblems(secrets, project, versionsOf)));
if (problems.length > 0) {
  console.error(`Not deployed. Missing:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  process.exit(1);
}
console.log(`Nothing is missing to deploy to ${project}.`);
if (!values.check) process.exit(deploy());

/** The secrets that the built function declares, asked in the way `firebase deploy` asks. */
function secretsOfFunction() {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-manifest-'));
  const manifest = join(directory, 'functions.json');
  try {
    const env = {
      ...process.env,
      FUNCTIONS_CONTROL_API: 'true',
      FUNCTIONS_MANIFEST_OUTPUT_PATH: manifest,
      GCLOUD_PROJECT: '',
    };
    execFileSync(process.execPath, ['node_modules/firebase-functions/lib/bin/firebase-functions.js', '.'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const { params } = JSON.parse(readFileSync(manifest, 'utf8'));
    return params.filter(({ type }) => type === 'secret').map(({ name }) => name);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The versions of a secret, asked by the Firebase CLI in this process: starting it takes seconds. */
async function versionsOf(name) {
  const [, cli] = firebaseCommand([]);
  const firebase = createRequire(cli)('../../lib/index.js');
  const { secrets: versions } = await firebase.functions.secrets.get(name, { project, nonInteractive: true });
  return versions;
}

function deploy() {
  const own = new Set(['project', 'check']);
  const rest = tokens.filter(({ kind, name }) => !(kind === 'option' && own.has(name))).map(argumentOf);
  const [program, ...args] = firebaseCommand(['deploy', '--project', project, ...rest]);
  return spawnSync(program, args, { stdio: 'inherit', cwd: resolve('..'), env: firebaseEnvironment() }).status ?? 1;
}

function argumentOf({ kind, rawName, value }) {
  return kind === 'positional' ? value : `${rawName}${value === undefined ? '' : `=${value}`}`;
}
