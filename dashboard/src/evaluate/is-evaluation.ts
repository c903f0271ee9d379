import type { Schema } from '../api/client';

/** True of an evaluation, where a file that was opened, or what was kept, may hold anything. */
export function isEvaluation(value: unknown): value is Schema<'EvaluationList'> {
  const { evaluations, usage } = (value ?? {}) as { evaluations?: unknown; usage?: unknown };
  return Array.isArray(evaluations) && typeof usage === 'object' && usage !== null;
}
