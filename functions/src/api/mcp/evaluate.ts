import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRefusal, type Refusal } from '../../errors';
import type { Evaluated } from '../../evaluation/conclude';
import type { JudgeEvent } from '../../evaluation/evaluation';
import { rounded } from '../../evaluation/scoring';
import type { Finished } from '../../runs/run';
import { playable, wholeReply } from '../answer/replies';
import { admitEvaluation, EvaluationRequest } from '../v1/evaluations';
import type { EvaluateFields } from './fields';
import { costSentence, type McpCall, textResult } from './mcp-call';

const JUDGES_MAX = 3;

/** Scores responses to a prompt by models of the default panel, the best first. */
export async function evaluate(
  { deps, request, tell }: McpCall,
  { prompt, responses }: EvaluateFields,
): Promise<CallToolResult | Refusal> {
  const judges = deps.defaultPanel.slice(0, JUDGES_MAX).map((id) => ({ id, name: deps.catalog.modelOf(id).name }));
  const fields = EvaluationRequest.parse({
    prompt,
    responses: responses.map((response, at) => ({ modelId: `${at + 1}`, modelName: `Response ${at + 1}`, response })),
    judge_models: judges,
  });
  const observe = (event: JudgeEvent): void => {
    if (event.state === 'done') tell(`${event.judge.name} has scored response ${event.response + 1}`);
  };
  const admitted = await admitEvaluation(deps, request, { ...fields, observe });
  if (isRefusal(admitted)) return admitted;
  const reply = await wholeReply(playable(admitted), scoresResult);
  return isRefusal(reply) ? reply : reply.body;
}

function scoresResult({ result, totals }: Finished<readonly Evaluated[]>): CallToolResult {
  const ranked = result.toSorted((a, b) => scoreOf(b) - scoreOf(a));
  return textResult(ranked.map(scoreWords).join('\n\n'), costSentence(totals));
}

function scoreOf({ consensus }: Evaluated): number {
  return consensus?.overallScore ?? -1;
}

function scoreWords(evaluated: Evaluated): string {
  const { response, consensus, opinions, totalJudges, reasoning } = evaluated;
  const score = consensus ? `${rounded(consensus.overallScore)} of 10` : 'not scored';
  return `${response.modelName}: ${score} (${opinions.length} of ${totalJudges} judges). ${reasoning}`;
}
