// The settings of a deployment, as `firebase deploy` reads them from dotenv files and gives them to the functions.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The settings in a dotenv file. Like the Firebase CLI it passes over a byte order mark. */
export function readSettings(file) {
  return parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
}

/** The settings that are deployed to `project`, of the dotenv files in `folder`. */
export function settingsOf(folder, project) {
  const files = ['.env', `.env.${project}`].map((file) => join(folder, file)).filter((file) => existsSync(file));
  return Object.assign({}, ...files.map(readSettings));
}

/** Writes a setting down in `functions/.env.<project>`, for this deployment and all later ones. */
export function keepSetting(folder, project, setting) {
  const file = join(folder, `.env.${project}`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${setting}\n`);
}
