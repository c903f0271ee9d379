import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere } from './describe-where';

/** The folder of the Firebase CLI. */
export const FIREBASE_TOOLS = join(__dirname, '..', '..', '..', 'tools', 'node_modules', 'firebase-tools');

/** A suite that needs the Firebase CLI. */
export function describeWithFirebaseCli(name: string, suite: () => void): void {
  const missing = 'the Firebase CLI is not installed; `npm run emulators` in the root folder installs it';
  describeWhere(name, existsSync(FIREBASE_TOOLS) ? undefined : missing, suite);
}
