// Loads the settings of functions/.env.local and functions/.env as the service does, from its build.
import { createRequire } from 'node:module';

/** What is already set wins. Ends the program with a line for each line of the files that cannot be read. */
export function loadSettings() {
  try {
    createRequire(import.meta.url)('../lib/env-files.js').loadLocalEnvironment('.');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
