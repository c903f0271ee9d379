/** What a reply, or all chunks of a streamed one, begin with. */
export interface ReplyHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** As the request named it. */
  readonly model: string;
}

/** The head of the reply to a request that came at `startedAtMs`. */
export function replyHead(idPrefix: 'chatcmpl-' | 'resp_', startedAtMs: number, model: string): ReplyHead {
  return { id: `${idPrefix}${startedAtMs}`, created: Math.floor(startedAtMs / 1000), model };
}
