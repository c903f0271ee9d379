import { CORE_CRITERIA, type CriterionKey } from './criteria';

/** A part a response was written in: what it had to do, and what it is scored on beside the core criteria. */
interface Role {
  /** Told to the judge, so that a red team is not marked down for attacking. */
  readonly job: string;
  readonly criteria: readonly CriterionKey[];
}

/** The nine roles of the spec (`responses[].role`). */
export const ROLES = {
  blueTeam: {
    job: 'defends: it proposes protections and answers attacks',
    criteria: ['mitigationEffectiveness', 'threatCoverage', 'resilience'],
  },
  redTeam: {
    job: 'attacks: it looks for weaknesses and shows how they could be used; attacking is its job and no fault',
    criteria: ['vulnerabilityDiscovery', 'attackRealism', 'impactAssessment'],
  },
  whiteTeam: {
    job: 'referees: it keeps the rules and brings both teams’ results together',
    criteria: ['impartiality', 'synthesisQuality', 'ruleAdherence'],
  },
  proposition: {
    job: 'argues for the motion; one-sidedness is its job and no fault',
    criteria: ['argumentStrength', 'evidenceQuality', 'rebuttalEffectiveness'],
  },
  opposition: {
    job: 'argues against the motion; one-sidedness is its job and no fault',
    criteria: ['counterargumentStrength', 'evidenceQuality', 'rebuttalEffectiveness'],
  },
  judge: {
    job: 'decides a debate and gives its reasons',
    criteria: ['impartiality', 'verdictJustification', 'reasoningTransparency'],
  },
  strategist: {
    job: 'sets the direction and leaves the details to others',
    criteria: ['strategicDepth', 'riskAwareness', 'feasibility'],
  },
  implementer: {
    job: 'turns a direction into something that works',
    criteria: ['technicalSoundness', 'actionability', 'edgeCaseHandling'],
  },
  reviewer: {
    job: 'reviews the work of others; finding fault is its job',
    criteria: ['issueDetection', 'prioritization', 'constructiveness'],
  },
} as const satisfies Record<string, Role>;

export type RoleName = keyof typeof ROLES;

/** All roles, in the spec's order. */
export const ROLE_NAMES = Object.keys(ROLES) as readonly RoleName[];

/** The further criteria of a response in that role; none without a role. */
export function roleCriteria(role: RoleName | undefined): readonly CriterionKey[] {
  return role === undefined ? [] : ROLES[role].criteria;
}

/** Everything such responses are scored on: the core, then by role, each once; the order in which roles come is nothing. */
export function criteriaOf(roles: readonly (RoleName | undefined)[]): readonly CriterionKey[] {
  const present = ROLE_NAMES.filter((role) => roles.includes(role));
  return [...new Set([...CORE_CRITERIA, ...present.flatMap(roleCriteria)])];
}
