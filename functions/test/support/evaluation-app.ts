import { type SpecApp, type SpecReply, startSpecApp } from './spec-app';
import type { TestAppOptions } from './test-app';

/** A `ModelEvaluation` and its reply, loosely typed for assertions. */
export interface WireEvaluation {
  readonly modelId: string;
  readonly modelName: string;
  readonly response: string;
  readonly criteria: Readonly<Record<string, number>>;
  readonly overallScore: number;
  readonly reasoning: string;
  readonly role?: string;
  readonly roleSpecificCriteria?: Readonly<Record<string, number>>;
  readonly individualScores?: readonly WireJudgeScore[];
  readonly overallScoreVariance?: number;
  readonly divergencePercent?: number;
  readonly scoredByJudges: number;
  readonly totalJudges: number;
  readonly notScored?: boolean;
  readonly weighted: boolean;
  readonly evaluationMode: string;
}

export interface WireJudgeScore {
  readonly judgeId: string;
  readonly judgeName: string;
  readonly criteria: Readonly<Record<string, number>>;
  readonly overallScore: number;
  readonly reasoning: string;
}

export interface WireEvaluations {
  readonly evaluations: readonly WireEvaluation[];
  readonly usage: Readonly<Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens' | 'total_cost', number>>;
}

/** The service with a way to ask for evaluations. */
export interface EvaluationApp extends SpecApp {
  /** Posts a body as it is, a minute after the request before. */
  send<Body = WireEvaluations>(body: unknown): Promise<SpecReply<Body>>;
  /** Posts these fields over `QUESTION`, two responses and one judge; only the model calls of this request are told. */
  evaluate<Body = WireEvaluations>(fields?: Record<string, unknown>): Promise<SpecReply<Body>>;
}

export const EVALUATIONS_PATH = '/v1/evaluations';
export const QUESTION = 'Is a tomato a fruit?';

/** A response as requests carry it. */
export function answer(modelId: string, response: string, role?: string): Record<string, string> {
  return { modelId, modelName: `Name of ${modelId}`, response, ...(role !== undefined && { role }) };
}

/** Judges as requests carry them. */
export function judges(...ids: readonly string[]): { id: string; name: string }[] {
  return ids.map((id) => ({ id, name: `Judge ${id}` }));
}

/** Starts the service with recorded judges. */
export async function startEvaluationApp(
  options: Omit<TestAppOptions, 'clock' | 'script'> = {},
): Promise<EvaluationApp> {
  const app = await startSpecApp(options);
  const send = async <Body>(body: unknown): Promise<SpecReply<Body>> => {
    await app.clock.advance(60_000);
    const before = app.models.calls.length;
    const response = await app.post(EVALUATIONS_PATH, body);
    const { status, headers } = response;
    const text = await response.text();
    const isJson = headers.get('content-type')?.startsWith('application/json');
    const calls = app.models.calls.slice(before);
    return { status, headers, text, body: (isJson ? JSON.parse(text) : undefined) as Body, calls };
  };
  return {
    ...app,
    send,
    evaluate: (fields = {}) =>
      send({
        prompt: QUESTION,
        responses: [answer('a', 'Botanically it is.'), answer('b', 'Cooks say no.')],
        judge_models: judges('judge-1'),
        ...fields,
      }),
  };
}
