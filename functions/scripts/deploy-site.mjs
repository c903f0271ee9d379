// Where the dashboard's pages go on Firebase Hosting. A site that holds somebody's website is left as it is.

/** The mark of a release that came from here, for later deployments. */
export const RELEASE_MESSAGE = 'Ensemble API dashboard';
const MAKE =
  'make one with `npm run firebase -- hosting:sites:create NAME`, and name it: HOSTING_SITE=NAME in the environment';

/** The site `wanted`, or the project's own, with its address; `problem` says why the pages cannot go there. */
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
