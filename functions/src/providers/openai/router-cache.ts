import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ChatTurn, ProviderCall } from '../../models/model';
import { isMarked } from '../../models/prompt-caches';

/** Mark of a text: the router passes it on to those who must be told what to keep in a cache. The SDK's types lack it. */
const KEPT: object = { cache_control: { type: 'ephemeral' } };

/** True of a call whose provider the router must tell what to keep in its cache, and something is to be kept. */
export function needsMarks({ providerModel, prompt }: ProviderCall): boolean {
  return providerModel.includes('claude') && isMarked(prompt);
}

/** The messages of a turn in parts, as they alone have marks, which move; of a marked turn the last text has one. */
export function inMarkedParts(
  messages: readonly ChatCompletionMessageParam[],
  { cacheMarks }: Pick<ChatTurn, 'cacheMarks'>,
): ChatCompletionMessageParam[] {
  return messages.map((message, at) => {
    const { role, content } = message;
    if (role === 'assistant' || !content) return message;
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    const last = cacheMarks && at === messages.length - 1 ? parts.findLastIndex(({ type }) => type === 'text') : -1;
    const marked = parts.map((part, index) => (index === last ? { ...part, ...KEPT } : part));
    return { ...message, content: marked } as ChatCompletionMessageParam;
  });
}
