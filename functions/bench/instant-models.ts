import { readConfig } from '../src/config';
import { createContainer } from '../src/container';
import { keepBodiesFromFramework } from '../src/http/body';
import { estimatePromptTokens, estimateTokens } from '../src/models/estimate-tokens';
import type { ModelProvider } from '../src/models/model';
import { replyTo } from './fake-replies.mjs';

/** Answers as `fake-prose-0ms` does, inside the process: what is left is the service's own work. */
let replies = 0;
const instant: ModelProvider = {
  run: async ({ prompt }, listener) => {
    replies += 1;
    const text = replyTo(prompt.turns.at(-1)?.text ?? '', replies);
    await listener.text(text);
    listener.usage({
      promptTokens: estimatePromptTokens(prompt),
      completionTokens: estimateTokens(text),
    });
    return 'stop';
  },
};

keepBodiesFromFramework();
/** The whole service, on the Functions Framework as ever, but for the way to its models. */
export const api = createContainer(readConfig(process.env), { providers: { openai: instant } }).app;
