import { Fault, type Refusal, refuse } from '../../errors';
import type { JsonReply } from '../../http/reply';
import type { Admitted } from '../../runs/admit';
import { type Finished, run } from '../../runs/run';
import type { TracedEvent } from '../../runs/trace-event';
import { recordTrace } from '../../runs/trace-recorder';
import type { ReplyOptions } from './reply-head';

/** Nobody sees the pieces come: there are fewer than in a stream. */
const TEXT_EVERY_MS = 1_000;

function keepTrace({ deps: { clock }, request: { startedAtMs } }: Admitted<unknown>) {
  const trace: TracedEvent[] = [];
  const recorder = recordTrace({ clock, startedAtMs, textEveryMs: TEXT_EVERY_MS }, (event) => trace.push(event));
  return { trace, recorder };
}

/** Plays an admitted run to its end and replies in one piece, with its trace where that is asked for. */
export async function wholeReply<Result>(
  admitted: Admitted<Result>,
  bodyOf: (finished: Finished<Result>, content: string) => object,
  { includeTrace }: ReplyOptions = { includeTrace: false },
): Promise<JsonReply | Refusal> {
  let content = '';
  const sink = {
    live: false,
    text: (piece: string) => {
      content += piece;
      return undefined;
    },
    status: () => undefined,
  };
  const { trace, recorder } = includeTrace ? keepTrace(admitted) : {};
  const ended = await run(admitted, sink, recorder?.observe);
  recorder?.end();
  const { headers } = admitted;
  if (!(ended instanceof Fault)) return { body: { ...bodyOf(ended, content), ...(trace && { trace }) }, headers };
  // An SDK that asked again would begin all model calls again.
  return refuse(ended.code, ended.publicText, { ...headers, 'x-should-retry': 'false' });
}
