import { parseArgs } from 'node:util';

const FLAG = { type: 'boolean', default: false };
const OWN = { project: { type: 'string', short: 'P' }, check: FLAG, yes: FLAG, rollback: FLAG, help: FLAG };
/** Of `firebase deploy`, but changed before it gets them: which sites may be deployed to, and how releases are marked. */
const CHANGED = { only: { type: 'string' }, except: { type: 'string' }, message: { type: 'string', short: 'm' } };
/** Handed on to `firebase deploy`. Any other option is refused: a misspelt `--check` must not deploy. */
const PASSED_ON = {
  account: { type: 'string' },
  debug: { type: 'boolean' },
  'non-interactive': { type: 'boolean' },
};

export const USAGE = `usage: npm run deploy -- --project PROJECT [--check | --yes | --rollback]

  --check     says what is missing and changes nothing
  --yes       asks nothing: provider keys are taken from the environment
  --rollback  lets the revision before serve again

${Object.keys({ ...CHANGED, ...PASSED_ON })
  .map((name) => `--${name}`)
  .join(', ')} are handed on to firebase deploy.`;

const NO_FORCE = `--force is not handed on: firebase deploy would delete functions and indexes that it does not know.
What MIN_INSTANCES and STRIPE_CUSTOMERS need it for is done without.`;

/** What the words of a command line ask for, and what of them is for `firebase deploy`; or what is wrong with them. */
export function deployOptions(args) {
  if (args.some((word) => word === '--force' || word === '-f')) return { problem: NO_FORCE };
  try {
    const { values, tokens } = parseArgs({ args, options: { ...OWN, ...CHANGED, ...PASSED_ON }, tokens: true });
    return { values, passedOn: tokens.filter(({ name }) => name in PASSED_ON).flatMap(wordsOf) };
  } catch (error) {
    return { problem: error.message.split('. ')[0] };
  }
}

function wordsOf({ name, value }) {
  return value === undefined ? [`--${name}`] : [`--${name}`, value];
}
