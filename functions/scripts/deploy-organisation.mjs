// What an organisation may have taken from its projects: a function that everybody may call, and the rights of the accounts that
// build and run it. Both show when it is deployed for the first time, the second only when the functions are built.

const GUIDE = 'docs/deploy.md#in-an-organisation';
const ALL = ['roles/owner', 'roles/editor'];
const BUILDING = 'roles/cloudbuild.builds.builder';
const READING = [
  'roles/datastore.user',
  'roles/datastore.owner',
  'roles/firebase.admin',
  'roles/firebase.sdkAdminServiceAgent',
];

/** What the organisation does not allow, in a sentence each; nothing where this account may not know. */
export async function organisationProblems(google, { project, region, serviceAccount }) {
  const [isPublic, isForbidden, policy] = await Promise.all([
    google.isPublic(region, 'api'),
    google.isPublicForbidden(),
    google.policy(),
  ]);
  const problems = isForbidden && !isPublic ? [publicProblem(project)] : [];
  // A function that was deployed has been built, and an account may have rights from a folder, which the project does not tell.
  if (isPublic || !policy?.bindings) return problems;
  const { build, compute } = await google.defaultAccounts();
  const runs = serviceAccount ? serviceAccount.replace(/@$/, `@${project}.iam.gserviceaccount.com`) : compute;
  return [
    ...problems,
    ...rightsProblems(policy, { account: build, does: 'builds', roles: [BUILDING, ...ALL], project }),
    ...rightsProblems(policy, { account: runs, does: 'runs', roles: [...READING, ...ALL], project }),
  ];
}

function publicProblem(project) {
  return `Public access: constraints/iam.allowedPolicyMemberDomains forbids allUsers in ${project}, so that nobody could call the function. Ask who administers the organisation's policies for an exception for this project: ${GUIDE}`;
}

/** Nothing of an account that is not there yet, or has a role of the organisation's own, in which anything may be. */
function rightsProblems({ bindings }, { account, does, roles, project }) {
  const member = `serviceAccount:${account}`;
  const held = bindings.filter(({ members }) => members.includes(member)).map(({ role }) => role);
  if (!account || held.some((role) => roles.includes(role) || !role.startsWith('roles/'))) return [];
  return [
    `The account ${account}, which ${does} the functions, lacks ${roles[0]}: gcloud projects add-iam-policy-binding ${project} --condition None --role ${roles[0]} --member ${member}   (${GUIDE})`,
  ];
}
