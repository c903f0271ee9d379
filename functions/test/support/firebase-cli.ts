import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the Firebase CLI is installed, in a folder of its own. */
export const FIREBASE_TOOLS = join(__dirname, '..', '..', '..', 'tools', 'node_modules', 'firebase-tools');

/** A suite that needs the Firebase CLI. Without it the suite is listed as not run; with `CI=true` it fails. */
export function describeWithFirebaseCli(name: string, suite: () => void): void {
  if (existsSync(FIREBASE_TOOLS)) describe(name, suite);
  else reportMissing(name, 'the Firebase CLI is not installed; `npm run emulators` in the root folder installs it');
}

/** Lists a suite as not run, visibly, or fails it with `CI=true`. */
export function reportMissing(name: string, reason: string): void {
  if (process.env['CI'] === 'true') {
    it(name, () => {
      throw new Error(reason);
    });
    return;
  }
  console.warn(`NOT RUN: ${name}: ${reason}`);
  it.todo(`${name}: not run, ${reason}`);
}
