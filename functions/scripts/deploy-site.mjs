// Where the dashboard's pages go on Firebase Hosting. A site that holds somebody's website is left as it is.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** By which a later deployment knows that what is on a site came from here. */
const RELEASE_MESSAGE = 'Ensemble API dashboard';
const CONFIG = '../firebase.json';
// Beside the original: the CLI takes the folder of its configuration for that of the project.
const CONFIG_OF_SITE = '../.site.firebase.json';
const TARGETS = 'functions,firestore,hosting';

/**
 * The site, as `HOSTING_SITE` or the project names it, with its address; where the pages cannot go there, `problem` says
 * why and what to do.
 */
export async function chooseSite(google, wanted) {
  const sites = await google.sites();
  const site = sites.find(({ name, type }) => (wanted ? idOf(name) === wanted : type === 'DEFAULT_SITE'));
  if (!site)
    return { problem: `${wanted ? `there is no site ${wanted}` : 'the project has no default site'}; ${MAKE}` };
  const id = idOf(site.name);
  const release = await google.lastRelease(id);
  const isFree = !release || release.message?.startsWith(RELEASE_MESSAGE);
  const address = `${site.defaultUrl ?? `https://${id}.web.app`}/play`;
  if (isFree) return { id, address };
  return { problem: `the site ${id} has a website that did not come from here, and keeps it; ${MAKE}` };
}

const MAKE =
  'make one with `npm run firebase -- hosting:sites:create NAME`, and name it: HOSTING_SITE=NAME in the environment';

const idOf = (name) => name.split('/').at(-1);

/**
 * The words for `firebase deploy`: what is deployed of `only` without `except`, for which site, and by which message it is
 * known again; `remove` takes away what was written for it. Undefined where nothing is left to deploy.
 */
export function deployWords({ only = TARGETS, except = '', message = '' }, { site, isNamed }) {
  const left = (target) => !except.split(',').includes(target) && (site || !/^hosting(?::|$)/.test(target));
  const targets = only.split(',').filter(left);
  if (targets.length === 0) return undefined;
  const words = ['--only', targets.join(','), '--message', [RELEASE_MESSAGE, message].filter(Boolean).join(': ')];
  if (!isNamed || !site) return { words, remove: () => {} };
  const settings = JSON.parse(readFileSync(CONFIG, 'utf8'));
  writeFileSync(CONFIG_OF_SITE, JSON.stringify({ ...settings, hosting: { ...settings.hosting, site } }));
  return {
    words: [...words, '--config', CONFIG_OF_SITE.replace('../', '')],
    remove: () => rmSync(CONFIG_OF_SITE, { force: true }),
  };
}
