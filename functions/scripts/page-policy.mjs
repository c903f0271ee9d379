// Which servers the pages on Firebase Hosting may ask. firebase.json names those that every project has, and the Auth emulator,
// for `firebase emulators:start`; where the function is depends on the project.
import { readFileSync, writeFileSync } from 'node:fs';

const POLICY = 'content-security-policy';

const OF_EMULATOR = /^http:\/\/127\.0\.0\.1:/;

/**
 * Writes a copy of a Firebase configuration, with which the content security policy of the pages allows more `origins`, by
 * rule, in place of the emulator; `site` names the site of Hosting where it is not that of the project.
 */
export function writeWithOrigins(config, written, { origins, site }) {
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  for (const { headers } of settings.hosting.headers) {
    for (const header of headers) if (header.key === POLICY) header.value = allowing(header.value, origins);
  }
  if (site) settings.hosting.site = site;
  writeFileSync(written, JSON.stringify(settings));
}

function allowing(policy, origins) {
  const rules = policy.split('; ').map((rule) => rule.split(' ').filter((source) => !OF_EMULATOR.test(source)));
  return rules.map(([name, ...sources]) => [name, ...sources, ...(origins[name] ?? [])].join(' ')).join('; ');
}
