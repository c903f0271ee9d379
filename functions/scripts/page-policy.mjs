// Which servers the pages on Firebase Hosting may ask. firebase.json names those that every project has; where the function
// is depends on the project.
import { readFileSync, writeFileSync } from 'node:fs';

const POLICY = 'content-security-policy';

/**
 * Writes a copy of a Firebase configuration, with which the content security policy of the pages allows more `origins`, by
 * rule; `site` names the site of Hosting where it is not that of the project.
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
  const rules = policy.split('; ').map((rule) => [rule, ...(origins[rule.split(' ')[0]] ?? [])].join(' '));
  return rules.join('; ');
}
