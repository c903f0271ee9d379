import rubric from './rubric.json';

export type CriterionKey = keyof typeof rubric.criteria;
export type RoleName = keyof typeof rubric.roles;

/** Criteria that a judge may be asked for, by key in the reply: `top` are the conditions for a 10 of 10. */
export const CRITERIA = rubric.criteria;

/** Parts that responses may be written in: the job told to the judge, and the criteria beside the core. */
export const ROLES = rubric.roles as Readonly<
  Record<RoleName, { readonly job: string; readonly criteria: readonly CriterionKey[] }>
>;

export const ROLE_NAMES = Object.keys(ROLES) as readonly RoleName[];

/** Criteria of every response, in the order of the reply. */
export const CORE_CRITERIA = ['accuracy', 'creativity', 'clarity', 'completeness', 'usefulness'] as const;

/** The further criteria of a response in that role; none without a role. */
export function roleCriteria(role: RoleName | undefined): readonly CriterionKey[] {
  return role === undefined ? [] : ROLES[role].criteria;
}

/** Everything responses of these roles are scored on: the core, then by role, each once, whatever the roles' order. */
export function criteriaOf(roles: readonly (RoleName | undefined)[]): readonly CriterionKey[] {
  const present = ROLE_NAMES.filter((role) => roles.includes(role));
  return [...new Set([...CORE_CRITERIA, ...present.flatMap(roleCriteria)])];
}
