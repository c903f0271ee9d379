import type { AgreementByPlace } from '../../ensemble/form/agreement-by-place';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Candidate } from '../../ensemble/run';
import type { SpendTotals } from '../../ledger/request-ledger';
import type { ToolCallPiece } from '../../models/tools';
import type { TracedEvent } from '../../runs/trace-event';
import type { ReplyHead } from './reply-head';
import { finishReasonOf, usageBody } from './reply-parts';
import { endingBody } from './result-parts';

const NANO_USD_PER_UNIFIED_TOKEN = 1_000;

/** Builds the chunks of one stream (`docs/api.md`, Streaming). */
export function chunks({ id, created, model, ignored }: ReplyHead) {
  const head = { id, object: 'chat.completion.chunk', created, model };
  const chunk = (delta: object, rest: object = {}) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: null }],
    ...rest,
  });
  // Most chunks of a stream differ in their text alone, which no other text stands behind.
  const textless = JSON.stringify(chunk({ content: '' }));
  const textAt = textless.lastIndexOf('""');
  const before = textless.slice(0, textAt);
  const behind = textless.slice(textAt + 2);
  return {
    /** The only one with a role, before any model is called. */
    opening: () => chunk({ role: 'assistant', content: '' }),
    text: (content: string) => before + JSON.stringify(content) + behind,
    toolCall: ({ index, begins, arguments: text }: ToolCallPiece) => {
      const { id, name } = begins ?? {};
      const type = begins && 'function';
      return chunk({ tool_calls: [{ index, id, type, function: { name, arguments: text } }] });
    },
    status: (status: string) => chunk({}, { status }),
    trace: (event: TracedEvent) => chunk({}, { trace: event }),
    candidates: (list: readonly Candidate[], agreementByPlace: AgreementByPlace | undefined) =>
      chunk(
        {},
        {
          candidates: list.map(({ modelName: model, label, response: text, part = '', sources }) => ({
            model,
            label,
            text,
            reasoning: part,
            sources,
          })),
          agreement: agreementByPlace,
        },
      ),
    /** The only one without `choices`. */
    usage: (totals: SpendTotals) => ({
      ...head,
      choices: [],
      usage: { ...usageBody(totals), unifiedTokens: Math.ceil(totals.costNanoUsd / NANO_USD_PER_UNIFIED_TOKEN) },
    }),
    final: ({ explanation, agreement, checks, followUpPrompts, ...result }: EnsembleResult) => ({
      ...head,
      choices: [
        {
          index: 0,
          delta: { ...result.reasoning },
          finish_reason: finishReasonOf(result),
          explanation,
          agreement,
          checks,
          followUpPrompts,
        },
      ],
      ...endingBody(result, ignored),
    }),
  };
}
