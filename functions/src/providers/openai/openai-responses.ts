import type { EasyInputMessage, ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { type ChatTurn, type ProviderCall, textOfPieces } from '../../models/model';
import { nameInText } from '../../models/speaker';
import { SEARCHES_MAX } from '../../models/web-search';
import type { LongTexts } from '../transport/long-texts';

/**
 * A call as a request of the Responses protocol: OpenAI's models search the web only there. Tools of the caller's and forms
 * of the answer never come with a search. Nothing is kept at the provider.
 */
export function responsesRequest(call: ProviderCall, texts: LongTexts): ResponseCreateParamsStreaming {
  const { providerModel, prompt, sampling, reasoningEffort, outputTokensMax } = call;
  return {
    model: providerModel,
    input: prompt.turns.map((turn) => messageOf(nameInText(turn), texts)),
    ...(prompt.system !== undefined && { instructions: texts.of({ text: prompt.system }) }),
    stream: true,
    store: false,
    tools: [{ type: 'web_search' }],
    max_tool_calls: SEARCHES_MAX,
    ...(outputTokensMax !== undefined && { max_output_tokens: outputTokensMax }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { top_p: sampling.topP }),
    ...(reasoningEffort && { reasoning: { effort: reasoningEffort } }),
  };
}

function messageOf({ role, images, ...turn }: ChatTurn, texts: LongTexts): EasyInputMessage {
  const text = texts.of(turn);
  if (role === 'assistant' || images === undefined) return { role, content: text };
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: 'input_image' as const,
    detail: 'auto' as const,
    image_url: texts.of(textOfPieces([`data:${mediaType};base64,`, base64])),
  }));
  return { role, content: [...(text === '' ? [] : [{ type: 'input_text' as const, text }]), ...pictures] };
}
