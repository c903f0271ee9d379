import type { Schema } from '../../api/client';
import { csvOf } from '../../ui/csv';
import { GAP_WORDS } from './cost-words';
import { decimalOf } from './usage-csv';

const HEAD = ['started_at', 'request_id', 'key_id', 'key_name', 'endpoint', 'strategy', 'models', 'prompt_tokens'];
const MORE = ['completion_tokens', 'cost_usd', 'duration_ms', 'outcome', 'note'];

/** Requests as CSV. */
export function requestsCsv(requests: readonly Schema<'LoggedRequest'>[]): string {
  const rows = requests.map(({ costGap, ...request }) => [
    ...[request.startedAt, request.id, request.keyId, request.keyName, request.endpoint, request.strategy ?? ''],
    ...[request.models.join('; '), request.promptTokens, request.completionTokens, decimalOf(request.costUsd)],
    ...[request.durationMs ?? '', request.outcome, costGap ? GAP_WORDS[costGap] : ''],
  ]);
  return csvOf([[...HEAD, ...MORE], ...rows]);
}
