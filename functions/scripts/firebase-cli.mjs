// Where the Firebase CLI and the Firestore emulator are. The CLI has a folder of its own, tools/, which the root's
// scripts install when it is needed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../tools/node_modules/firebase-tools/lib/bin/firebase.js', import.meta.url));
/** What firebase-tools asks of Java for its own Firestore emulator. */
const JAVA_MIN = 21;

/** The command line of the Firebase CLI with `args`; ends the program with an explanation when it is not installed. */
export function firebaseCommand(args) {
  if (!existsSync(CLI)) {
    console.error(
      'The Firebase CLI is not installed; `npm run emulators` and `npm run deploy` in the root folder install it.',
    );
    process.exit(1);
  }
  return [process.execPath, CLI, ...args];
}

/**
 * The same for commands that start a Firestore emulator: through `hidane exec`, which stands in for Java, where hidane is installed.
 * Ends the program with an explanation when there is neither hidane nor a Java that will do.
 */
export function emulatorCommand(args) {
  const command = firebaseCommand(args);
  const hidane = findProgram('hidane');
  if (hidane) return [hidane, 'exec', '--', ...command];
  const java = javaVersion();
  if (java >= JAVA_MIN) return command;
  console.error(`The Firestore emulator needs one of two programs on PATH:
  - hidane, a single file without Java: cargo install hidane --version 0.6.0 --locked
  - Java ${JAVA_MIN} or newer for the emulator of firebase-tools: ${java ? `the one here is Java ${java}` : 'there is no Java here'}`);
  return process.exit(1);
}

/** The environment for it: the CLI starts `node` by name, and it should be this one. */
export function firebaseEnvironment(more = {}) {
  return { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), ...more };
}

/** The path of an executable program, on PATH or where cargo puts it; undefined where there is none. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), '.cargo', 'bin')];
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, file)).find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The major version of `java`; 0 without one. */
function javaVersion() {
  const { stderr = '' } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const [, first = '0', second = '0'] = /version "(\d+)(?:\.(\d+))?/.exec(stderr ?? '') ?? [];
  return Number(first === '1' ? second : first);
}
