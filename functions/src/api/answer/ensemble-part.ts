import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { amount, named, type Sent, text } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import type { Finished } from '../../runs/run';
import { TraceEvent } from '../../runs/trace-event';
import { unlessEmpty } from './plan';
import {
  comparisonBody,
  comparisonFields,
  endingBody,
  endingFields,
  explanationFields,
  unpriced,
  webSearches,
} from './run-result';
import type { ReplyHead } from './wire';

/** Fields of this service in the replies of other protocols, which have them in one place. */
export const EnsemblePart = named(
  'EnsemblePart',
  () =>
    z.object({
      ...explanationFields(),
      ...comparisonFields(),
      ...endingFields(),
      costUsd: amount('Of all model calls of the run, in US dollars.').optional(),
      webSearches: webSearches(),
      unpricedModels: unpriced(),
      status: text('What the run is at, in words for people; in streams alone.').optional(),
      trace: z
        .union([z.array(TraceEvent), TraceEvent])
        .optional()
        .describe('All that happened in the run, with `includeTrace`; in streams one event after the other.'),
    }),
  'What is told of a run beside its answer.',
);

export function ensemblePart(
  { ignored, trace }: ReplyHead,
  { result, totals }: Finished<EnsembleResult>,
): Sent<typeof EnsemblePart> {
  return {
    explanation: result.explanation,
    analysis: result.analysis,
    ...comparisonBody(result),
    ...endingBody(result, ignored),
    costUsd: usd(totals.costNanoUsd),
    webSearches: totals.webSearches,
    unpricedModels: unlessEmpty(totals.unpricedModels),
    trace,
  };
}
