import { ModelFault, type ProviderCall } from '../../src/models/model';
import type { Script } from '../../src/providers/scripted';

/** A response as a judge is shown it. */
export interface ShownResponse {
  readonly label: string;
  readonly role?: string;
  readonly response: string;
  readonly yours?: ShownOpinion;
  readonly peers?: readonly ShownOpinion[];
}

export interface ShownOpinion {
  readonly scores: Readonly<Record<string, number>>;
  readonly reasoning: string;
}

/** What a judge is shown: the one line of JSON in its prompt, read back. */
export interface ShownMaterial {
  readonly prompt: string;
  readonly responses: readonly ShownResponse[];
}

/** The core criteria, and further ones by role, as the reference lists them: written down here anew. */
const CORE = ['accuracy', 'creativity', 'clarity', 'completeness', 'usefulness'] as const;
export const ROLE_KEYS: Readonly<Record<string, readonly string[]>> = {
  blueTeam: ['mitigationEffectiveness', 'threatCoverage', 'resilience'],
  redTeam: ['vulnerabilityDiscovery', 'attackRealism', 'impactAssessment'],
  whiteTeam: ['impartiality', 'synthesisQuality', 'ruleAdherence'],
  proposition: ['argumentStrength', 'evidenceQuality', 'rebuttalEffectiveness'],
  opposition: ['counterargumentStrength', 'evidenceQuality', 'rebuttalEffectiveness'],
  judge: ['impartiality', 'verdictJustification', 'reasoningTransparency'],
  strategist: ['strategicDepth', 'riskAwareness', 'feasibility'],
  implementer: ['technicalSoundness', 'actionability', 'edgeCaseHandling'],
  reviewer: ['issueDetection', 'prioritization', 'constructiveness'],
};

/** Reads what a judge is shown. */
export function shownTo({ prompt }: Pick<ProviderCall, 'prompt'>): ShownMaterial {
  const lines = (prompt.turns.at(-1)?.text ?? '').split('\n').filter((line) => line.startsWith('{"prompt":'));
  if (lines.length !== 1) throw new Error(`${lines.length} lines of material`);
  return JSON.parse(lines[0] ?? '');
}

/** Every criterion a response of that role is scored on. */
function keysFor(role: string | undefined): readonly string[] {
  return [...CORE, ...(role === undefined ? [] : (ROLE_KEYS[role] ?? []))];
}

/** The same score for every criterion of a response. */
export function allAt(score: unknown, role?: string): Record<string, unknown> {
  return Object.fromEntries(keysFor(role).map((key) => [key, score]));
}

/** A judge's mind: the scores of one response, in the place it is shown (from 0), or an item of any other shape. */
export type Persona = (shown: ShownResponse, place: number, call: ProviderCall) => Readonly<Record<string, unknown>>;

/** A well-formed reply that a persona gives. */
export function verdictOf(call: ProviderCall, persona: Persona): string {
  const { responses } = shownTo(call);
  const items = responses.map((shown, place) => ({
    label: shown.label,
    reasoning: `Because of ${call.providerModel}.`,
    change: '',
    ...persona(shown, place, call),
  }));
  return JSON.stringify({ items });
}

/** Judges by model id, ten prompt tokens and three completion tokens a call; a model that nobody plays is not found. */
export function bench(personas: Readonly<Record<string, Persona>>): Script {
  return (call) => {
    const persona = personas[call.providerModel];
    if (!persona) return { text: '', fault: new ModelFault('not_found') };
    return { text: verdictOf(call, persona), usage: { promptTokens: 10, completionTokens: 3 } };
  };
}
