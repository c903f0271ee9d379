/** Every criterion a judge may be asked for, by its key in the reply: `top` are the conditions for a 10 of 10. */
export const CRITERIA = {
  accuracy: {
    asks: 'Is what it states true, and are its claims supported? A confident claim without support lowers it.',
    top: ['every checkable statement is right', 'its certainty matches its evidence'],
  },
  creativity: {
    asks: 'Does it find ideas, angles or examples beyond the obvious that serve the prompt? If the prompt leaves no room for ideas, score 8.',
    top: ['it has at least one insight that is not the expected one', 'that insight makes the answer better'],
  },
  clarity: {
    asks: 'Can its reader follow it at once? Length is no merit.',
    top: ['nothing needs reading twice', 'nothing could be left out'],
  },
  completeness: {
    asks: 'Does it answer everything the prompt asks, in the format, length and language it asks for, and no less than it needs?',
    top: ['every part of the prompt is answered as asked', 'the conditions and exceptions that matter are named'],
  },
  usefulness: {
    asks: 'Can the person who asked act on it?',
    top: ['it can be used as it stands', 'it meets the purpose behind the prompt'],
  },
  mitigationEffectiveness: {
    asks: 'Would its defences stop or contain the threats it addresses?',
    top: ['each defence breaks a concrete attack path', 'what remains at risk is stated'],
  },
  threatCoverage: {
    asks: 'Does it address the threats that matter here?',
    top: ['all major threats are covered', 'they are weighed by likelihood and harm'],
  },
  resilience: {
    asks: 'Does the defence hold when a part of it fails?',
    top: ['no single failure defeats it', 'detection and recovery are planned'],
  },
  vulnerabilityDiscovery: {
    asks: 'Does it find real weaknesses?',
    top: ['the weaknesses are real and specific', 'a non-obvious one is among them'],
  },
  attackRealism: {
    asks: 'Could the attack be carried out as described?',
    top: ['each step is feasible for a plausible adversary', 'its preconditions are stated'],
  },
  impactAssessment: {
    asks: 'Is the harm judged soundly?',
    top: ['consequences are concrete and proportionate', 'the worst credible case is kept apart from the likely one'],
  },
  impartiality: {
    asks: 'Are all sides treated by the same standard?',
    top: ['each side is stated as its holder would', 'no side is favoured without a reason given'],
  },
  synthesisQuality: {
    asks: 'Are the positions brought together into something better than each?',
    top: ['agreements and conflicts are both resolved', 'nothing of value is lost'],
  },
  ruleAdherence: {
    asks: 'Does it apply the rules and the scope that were set?',
    top: ['every rule set is followed', 'breaches by others are noted'],
  },
  argumentStrength: {
    asks: 'Do its arguments carry its position?',
    top: ['the conclusion follows from the premises', 'the strongest available argument is used'],
  },
  evidenceQuality: {
    asks: 'Is its evidence relevant, specific and sound?',
    top: ['every key claim has evidence', 'the limits of that evidence are respected'],
  },
  rebuttalEffectiveness: {
    asks: 'Does it answer the strongest points against it?',
    top: ['the strongest objection is met', 'it is stated fairly before it is met'],
  },
  counterargumentStrength: {
    asks: 'Do its objections hit the position it opposes?',
    top: ['the objection defeats a load-bearing claim', 'it attacks what was said, not a straw man'],
  },
  verdictJustification: {
    asks: 'Does its verdict follow from the reasons it gives?',
    top: ['every decisive reason is tied to what was argued', 'the losing side’s best point is answered'],
  },
  reasoningTransparency: {
    asks: 'Can the way to its conclusion be checked?',
    top: ['each step can be followed', 'assumptions and doubts are stated'],
  },
  strategicDepth: {
    asks: 'Does it see beyond the next step?',
    top: ['second-order effects are weighed', 'alternatives are compared'],
  },
  riskAwareness: {
    asks: 'Does it see what could go wrong?',
    top: ['the main risks are named', 'each has an answer or an early sign to watch for'],
  },
  feasibility: {
    asks: 'Can it be done with realistic means?',
    top: ['resources and constraints are respected', 'the first step could be taken now'],
  },
  technicalSoundness: {
    asks: 'Would it work as built?',
    top: ['it is correct as written', 'it follows sound practice'],
  },
  actionability: {
    asks: 'Can somebody carry it out without further questions?',
    top: ['steps are concrete and in order', 'it says how to tell that each is done'],
  },
  edgeCaseHandling: {
    asks: 'Does it hold beyond the ordinary case?',
    top: ['the edge cases that matter are handled', 'failure is handled, not only success'],
  },
  issueDetection: {
    asks: 'Does it find the problems that are there?',
    top: ['the most serious problem is found', 'nothing sound is called a problem'],
  },
  prioritization: {
    asks: 'Does it tell what matters most?',
    top: ['issues are ordered by harm', 'minor ones are marked as such'],
  },
  constructiveness: {
    asks: 'Does it help to make the work better?',
    top: ['each finding comes with a way to fix it', 'its tone serves the author'],
  },
} as const;

export type CriterionKey = keyof typeof CRITERIA;

/** Criteria of every response, in the order of the reply. */
export const CORE_CRITERIA = ['accuracy', 'creativity', 'clarity', 'completeness', 'usefulness'] as const;

/** Parts that responses may be written in: the job told to the judge, and the criteria beside the core. */
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
} as const;

export type RoleName = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as readonly RoleName[];

/** The further criteria of a response in that role; none without a role. */
export function roleCriteria(role: RoleName | undefined): readonly CriterionKey[] {
  return role === undefined ? [] : ROLES[role].criteria;
}

/** Everything responses of these roles are scored on: the core, then by role, each once, whatever the roles' order. */
export function criteriaOf(roles: readonly (RoleName | undefined)[]): readonly CriterionKey[] {
  const present = ROLE_NAMES.filter((role) => roles.includes(role));
  return [...new Set([...CORE_CRITERIA, ...present.flatMap(roleCriteria)])];
}
