/*
 * Models that need no key and no network: what they say in `demo-reply`, how they say it here. Imports the model port; must
 * not read more of a prompt than it has to.
 */
import { type Clock, sleep } from '../../lib/clock';
import { createCatalog } from '../../models/catalog';
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import { ModelFault, type ModelProvider } from '../../models/model';
import { demoReply } from './demo-reply';

/** Between two words: fast enough not to bore, slow enough to be seen streaming. */
const WORD_DELAY_MS = 8;

const NAMES = new Set(createCatalog().rows.flatMap((row) => (row.provider === 'scripted' ? row.providerModel : [])));

/** The built-in `demo-*` models, without a network: they stream a reply made for the call's purpose, with usage. */
export function createDemoProvider(clock: Clock): ModelProvider {
  return {
    run: async (call, listener) => {
      if (!NAMES.has(call.providerModel)) throw new ModelFault('not_found');
      const text = demoReply(call);
      for (const word of text.split(/(?<=\s)(?=\S)/)) {
        await sleep(clock, WORD_DELAY_MS, call.signal);
        if (call.signal.aborted) throw new ModelFault('aborted');
        await listener.text(word);
      }
      const promptTokens = estimatePromptTokens(call.prompt);
      listener.usage({ promptTokens, completionTokens: estimateTokens(text) });
      return 'stop';
    },
  };
}
