/*
 * Models that need no key and no network: what they say in `demo-reply` and its topics, how they say it here. Imports the
 * model port; must not read more of a prompt than it has to.
 */
import { type Clock, sleep } from '../../lib/clock';
import { createCatalog } from '../../models/catalog';
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import type { ModelPrompt, ModelProvider } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import { demoPage } from './demo-prompt';
import { demoReply } from './demo-reply';

/** Between two words: fast enough not to bore, slow enough to be seen streaming. */
const WORD_DELAY_MS = 6;
/** For the one that shows what a slow participant means. */
const SLOW_WORD_DELAY_MS = 100;

const NAMES = new Set(createCatalog().rows.flatMap((row) => (row.provider === 'scripted' ? row.providerModel : [])));

/** The built-in `demo-*` models. The unreliable one fails the first time that it is asked for a draft. */
export function createDemoProvider(clock: Clock): ModelProvider {
  const refused = new WeakSet<ModelPrompt>();
  return {
    run: async (call, listener) => {
      const { providerModel, prompt, purpose } = call;
      if (!NAMES.has(providerModel)) throw new ModelFault('not_found');
      if (providerModel === 'demo-unreliable' && purpose === 'draft' && !refused.has(prompt)) {
        refused.add(prompt);
        throw new ModelFault('overloaded');
      }
      const text = demoReply(call);
      if (prompt.webSearch) listener.web({ searches: 1, pages: [demoPage(call)] });
      const delayMs = providerModel === 'demo-slow' ? SLOW_WORD_DELAY_MS : WORD_DELAY_MS;
      for (const word of text.split(/(?<=\s)(?=\S)/)) {
        await sleep(clock, delayMs, call.signal);
        if (call.signal.aborted) throw new ModelFault('aborted');
        await listener.text(word);
      }
      // Nobody is billed for it: its places need not be secret.
      const promptTokens = estimatePromptTokens(prompt);
      listener.usage({ promptTokens, completionTokens: estimateTokens(text) });
      return 'stop';
    },
  };
}
