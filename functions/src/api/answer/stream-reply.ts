/*
 * The two kinds of reply to a run: one piece (`whole-reply`) and chunks (`stream-reply`), two small sinks over `run`, and
 * what several replies have in common. Imports `runs/`, the result types of `ensemble/`, and `http/`; knows no endpoint's
 * schema.
 */
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { Fault } from '../../errors';
import { STREAM_END } from '../../http/event-stream';
import type { StreamReply } from '../../http/reply';
import type { ToolCallPiece } from '../../models/tools';
import type { Admitted } from '../../runs/admit';
import { run } from '../../runs/run';
import { chunks } from './chunks';
import type { ReplyHead } from './reply-head';
import { type BeginTrace, playedAs } from './traced-run';

/**
 * Replies with a stream of chunks: text and progress as they come, the rest with the ledger settled, and `[DONE]`. A
 * failure becomes an error event and no `[DONE]`: a stream never just ends.
 */
export function streamReply(
  admitted: Admitted<EnsembleResult>,
  head: ReplyHead,
  beginTrace: BeginTrace | undefined,
): StreamReply {
  const { opening, text, toolCall, status, trace, candidates, usage, final } = chunks(head);
  return {
    headers: admitted.headers,
    play: async (events) => {
      events.write(opening());
      const live = beginTrace?.(admitted, (event) => events.write(trace(event)));
      const sink = {
        live: true,
        text: (piece: string) => {
          events.write(text(piece));
          return events.backPressure();
        },
        toolCall: (piece: ToolCallPiece) => {
          events.write(toolCall(piece));
          return events.backPressure();
        },
        status: (message: string) => events.repeatWhenSilent(status(message)),
        traceTaken: () => events.backPressure(),
      };
      const ended = await run(playedAs(admitted, live), sink, live?.observe);
      await live?.ended;
      if (ended instanceof Fault) return events.write({ error: ended.publicText });
      const { result, totals } = ended;
      if (result.candidates) events.write(candidates(result.candidates, result.agreementByPlace));
      if (totals.promptTokens + totals.completionTokens > 0) events.write(usage(totals));
      events.write(final(result));
      events.write(STREAM_END);
    },
  };
}
