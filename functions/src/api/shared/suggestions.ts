import * as z from 'zod';
import { amount, flag, named, type Sent, text, texts } from '../../lib/reply-schemas';
import type { Catalog } from '../../models/catalog';
import type { OfferedModels } from '../../models/offered-models';

export const Suggestions = named(
  'Suggestions',
  () =>
    z.object({
      prompts: texts('Questions that the demo models have texts for.'),
      participants: texts('Ids of models that show something with these prompts.'),
      arbiter: text('The id of the model that writes the answer.'),
      graceSeconds: amount('Time that slow participants have, where giving them up is to be seen.').optional(),
      scripted: flag('Whether all of them follow a script.'),
    }),
  'What a first run may be tried with.',
);

export type Suggestions = Sent<typeof Suggestions>;

/** The slow demo model is given up so long after most of the others have answered. */
const DEMO_GRACE_SECONDS = 3;
/** A slow one that is given up, one that fails at first and answers when it is asked again, and one that dissents. */
const DEMO_PANEL = ['demo-ada', 'demo-slow', 'demo-unreliable', 'demo-dissenter'] as const;

/** Suggestions for a first run: the models of the deployment, or those demo models that have something to show. */
export function suggestionsOf(
  { catalog, defaultModel, defaultPanel }: OfferedModels & { readonly catalog: Catalog },
  prompts: readonly string[],
): Suggestions {
  const isScripted = (id: string): boolean => catalog.modelOf(id).provider === 'scripted';
  const scripted = [defaultModel, ...defaultPanel].every(isScripted);
  const participants = scripted ? DEMO_PANEL : defaultPanel;
  const grace = scripted && { graceSeconds: DEMO_GRACE_SECONDS };
  return { prompts, participants, arbiter: defaultModel, ...grace, scripted };
}
