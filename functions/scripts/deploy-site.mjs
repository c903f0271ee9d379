// Where the dashboard's pages go on Firebase Hosting. A site that holds somebody's website is left as it is.
import { rmSync } from 'node:fs';
import { writeWithOrigins } from './page-policy.mjs';

/** By which a later deployment knows that what is on a site came from here. */
const RELEASE_MESSAGE = 'Ensemble API dashboard';
const CONFIG = '../firebase.json';
const TARGETS = 'functions,firestore,hosting';
const HOSTING = /^hosting(?::|$)/;

/** The site that the environment or the deployed settings name, if one does; `problem`: they name two. */
export function siteWanted(env, settings, project) {
  const [wanted, kept] = [env.HOSTING_SITE?.trim(), settings.HOSTING_SITE];
  if (!wanted || !kept || wanted === kept) return { name: wanted || kept };
  return {
    problem: `HOSTING_SITE is ${wanted}, but functions/.env.${project} or functions/.env says ${kept}: change it there.`,
  };
}

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

/** Where the pages find the function itself, as it tells them: under an address of its own, or the one of `PUBLIC_BASE_URL`. */
export function originOfFunction({ project, region, settings }) {
  const { PUBLIC_BASE_URL } = settings;
  return PUBLIC_BASE_URL ? new URL(PUBLIC_BASE_URL).origin : `https://${region}-${project}.cloudfunctions.net`;
}

/** What is deployed of `only` without `except`. */
export function targetsOf({ only = TARGETS, except = '' }) {
  return only.split(',').filter((target) => !except.split(',').includes(target));
}

/**
 * The words for `firebase deploy`: what of the targets, for which site, and by which message it is known again; `remove` takes
 * away what was written for it. Undefined where nothing is left to deploy.
 */
export function deployWords(values, { project, site, isNamed, functionOrigin }) {
  const targets = targetsOf(values).filter((target) => site || !HOSTING.test(target));
  if (targets.length === 0) return undefined;
  const message = ['--message', [RELEASE_MESSAGE, values.message].filter(Boolean).join(': ')];
  if (!targets.some((target) => HOSTING.test(target))) return { targets, words: message, remove: () => {} };
  // Beside the original: the CLI takes the folder of its configuration for that of the project.
  const config = `.site.${project}.firebase.json`;
  const origins = { 'connect-src': [functionOrigin] };
  writeWithOrigins(CONFIG, `../${config}`, { origins, ...(isNamed && { site }) });
  return {
    targets,
    words: [...message, '--config', config],
    remove: () => rmSync(`../${config}`, { force: true }),
  };
}
