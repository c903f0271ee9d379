import type { EasyInputMessage, ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { type ChatTurn, nameInText, type ProviderCall } from '../../models/model';
import { SEARCHES_MAX } from '../../models/web-search';
import type { LongTexts } from '../transport/long-texts';
import { reportedFault } from '../transport/provider-fault';
import { ReplyReader, type Taken } from '../transport/read-reply';
import { type Fields, fieldsOf, listOf, spokenOf, textOf } from '../transport/reply-fields';
import { responsesPart } from './image-parts';
import { usageOf } from './openai-usage';

/** A call in the Responses protocol: OpenAI’s models search the web only there. Nothing is kept at the provider. */
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
  const pictures = images.map((image) => responsesPart(image, texts));
  return { role, content: [...(text === '' ? [] : [{ type: 'input_text' as const, text }]), ...pictures] };
}

/** Reads the events of one stream of the Responses protocol, or its response in one piece. */
export class OpenAiResponsesReply extends ReplyReader {
  #searches = 0;

  take(event: Fields): Taken {
    const { type, delta, annotation, item, response } = event;
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#say(delta);
      case 'response.output_text.annotation.added':
        this.#cited(fieldsOf(annotation));
        return undefined;
      case 'response.output_item.done':
        this.#done(fieldsOf(item));
        return undefined;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#ended(fieldsOf(response), type.slice('response.'.length));
      case 'error':
        throw reportedFault(event['error'] ?? event);
      default:
        if (event['object'] === 'response') return this.#whole(event);
        this.listener.alive(textOf(type).startsWith('response.reasoning') ? 'thinks' : undefined);
        return undefined;
    }
  }

  async #whole(response: Fields): Promise<void> {
    for (const item of listOf(response['output']).map(fieldsOf)) {
      this.#done(item);
      for (const part of listOf(item['content']).map(fieldsOf)) await this.#part(part);
    }
    this.#ended(response, response['status']);
  }

  #part({ text, refusal, annotations }: Fields): Promise<void> | undefined {
    for (const annotation of listOf(annotations)) this.#cited(fieldsOf(annotation));
    return this.#say(text ?? refusal);
  }

  #say(value: unknown): Promise<void> | undefined {
    const said = spokenOf(value);
    return said === '' ? undefined : this.listener.text(said);
  }

  #cited({ type, url, title }: Fields): void {
    if (type === 'url_citation') this.listener.web({ pages: [{ url, title, isCited: true }] });
  }

  /** Only what searches is billed: pages are opened and looked through for nothing. */
  #done({ type, action }: Fields): void {
    this.listener.alive();
    if (type !== 'web_search_call' || fieldsOf(action)['type'] !== 'search') return;
    this.#searches += 1;
    this.listener.web({ searches: this.#searches });
  }

  #ended(response: Fields, status: unknown): 'stop' {
    const { usage, incomplete_details: details, error } = response;
    const report = usage ? usageOf(usage) : undefined;
    if (report) this.listener.usage(report);
    if (error || status === 'failed') throw reportedFault(error ?? response);
    this.endsBy(fieldsOf(details)['reason'] ?? status);
    return this.endMark();
  }
}
