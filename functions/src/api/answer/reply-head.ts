/** What a reply, or all chunks of a streamed one, begin with. */
export interface ReplyHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** As the request named it. */
  readonly model: string;
  /** What the request said without effect, in words for its sender. */
  readonly ignored: readonly string[];
}

/** The head of the reply to a request that came at `startedAtMs`. */
export function replyHead(
  idPrefix: 'chatcmpl-' | 'resp_',
  startedAtMs: number,
  { model, ignored }: Pick<ReplyHead, 'model' | 'ignored'>,
): ReplyHead {
  return { id: `${idPrefix}${startedAtMs}`, created: Math.floor(startedAtMs / 1000), model, ignored };
}
