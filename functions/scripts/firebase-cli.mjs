// The Firebase CLI, which has a folder of its own, tools/, that the root's scripts install when it is needed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../tools/node_modules/firebase-tools/lib/bin/firebase.js', import.meta.url));

/** The command line of the Firebase CLI with `args`; ends the program with an explanation when it is not installed. */
export function firebaseCommand(args) {
  if (existsSync(CLI)) return [process.execPath, CLI, ...args];
  console.error(
    'The Firebase CLI is not installed; `npm run emulators` and `npm run deploy` in the root folder do that.',
  );
  return process.exit(1);
}

/**
 * The same for commands that start a Firestore emulator: through `hidane exec`, which stands in for Java, where hidane is
 * installed. Ends the program with an explanation when there is neither.
 */
export function emulatorCommand(args) {
  const command = firebaseCommand(args);
  if (runs('hidane')) return ['hidane', 'exec', '--', ...command];
  if (runs('java')) return command;
  console.error(`The Firestore emulator needs one of two programs on PATH:
  - hidane, a single file without Java: cargo install hidane --version 0.6.0 --locked
  - Java 21 or newer for the emulator of firebase-tools`);
  return process.exit(1);
}

/** The environment for it: the CLI starts `node` by name, which should be this one; cargo puts hidane into a folder of its own. */
export function firebaseEnvironment(more = {}) {
  const cargo = join(homedir(), '.cargo', 'bin');
  return { ...process.env, PATH: [dirname(process.execPath), process.env.PATH, cargo].join(delimiter), ...more };
}

/** True if a program is there to be run. */
export function runs(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore', env: firebaseEnvironment() }).error === undefined;
}
