// The log lines of the deployed functions, by the Firebase CLI: `npm run logs -- --project P -n 50 --only api`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseProject } from './deploy-check.mjs';
import { firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

const args = process.argv.slice(2);
const { values } = parseArgs({ args, options: { project: { type: 'string', short: 'P' } }, strict: false });
const { projects } = JSON.parse(readFileSync('../.firebaserc', 'utf8'));
const project = chooseProject(values.project, projects);
if (!project || project.startsWith('demo-')) {
  const which = project ? `, not ${project}` : '';
  console.error(`Only a deployed project has logs${which}. Name yours: npm run logs -- --project <project id>`);
  process.exit(1);
}
const named = values.project === undefined ? ['--project', project] : [];
const [program, ...words] = firebaseCommand(['functions:log', ...named, ...args]);
process.exit(
  spawnSync(program, words, { stdio: 'inherit', cwd: resolve('..'), env: firebaseEnvironment() }).status ?? 1,
);
