// The dashboard's pages on Firebase Hosting: which site holds them, and which servers they may ask.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The mark of a release that came from here, for later deployments. */
export const RELEASE_MESSAGE = 'Ensemble API dashboard';
const MAKE =
  'make one with `npm run firebase -- hosting:sites:create NAME`, and name it: HOSTING_SITE=NAME in the environment';
const OF_EMULATOR = /^http:\/\/127\.0\.0\.1:/;

/**
 * The site `wanted`, or the project's own, with its address; `problem` says why the pages cannot go there. A site that holds
 * somebody's website is left as it is.
 */
export async function chooseSite(google, project, wanted) {
  const list = await google.get('hostingApiOrigin', `/v1beta1/projects/${project}/sites`);
  const site = (list?.sites ?? []).find(({ name, type }) =>
    wanted ? name.endsWith(`/${wanted}`) : type === 'DEFAULT_SITE',
  );
  if (!site)
    return { problem: `${wanted ? `there is no site ${wanted}` : 'the project has no default site'}; ${MAKE}` };
  const id = site.name.split('/').at(-1);
  const releases = `/v1beta1/projects/${project}/sites/${id}/channels/live/releases?pageSize=1`;
  const [release] = (await google.get('hostingApiOrigin', releases))?.releases ?? [];
  if (release && !release.message?.startsWith(RELEASE_MESSAGE)) {
    return { problem: `the site ${id} has a website that did not come from here, and keeps it; ${MAKE}` };
  }
  return { id, address: `${site.defaultUrl ?? `https://${id}.web.app`}/play` };
}

/**
 * Writes a copy of firebase.json in which the content security policy of the pages allows more `origins`, by rule, in place of
 * the Auth emulator; `change` changes more of it. Removed when the program ends.
 */
export function writeConfig(config, { label, origins, change }) {
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  for (const header of settings.hosting.headers.flatMap(({ headers }) => headers)) {
    if (header.key === 'content-security-policy') header.value = allowing(header.value, origins);
  }
  change?.(settings);
  // Beside the original: the CLI takes the folder of its configuration for that of the project.
  const written = join(dirname(config), `.${label}.${basename(config)}`);
  writeFileSync(written, JSON.stringify(settings));
  process.on('exit', () => rmSync(written, { force: true }));
  return written;
}

function allowing(policy, origins) {
  const rules = policy.split('; ').map((rule) => rule.split(' ').filter((source) => !OF_EMULATOR.test(source)));
  return rules.map(([name, ...sources]) => [name, ...sources, ...(origins[name] ?? [])].join(' ')).join('; ');
}
