import { Fault, type Refusal, refuse } from '../../errors';
import type { JsonReply } from '../../http/reply';
import type { Admitted } from '../../runs/admit';
import { type Finished, run } from '../../runs/run';
import type { TracedEvent } from '../../runs/trace-event';
import { type BeginTrace, playedAs } from './traced-run';

/** Plays an admitted run to its end and replies in one piece, with its trace where that is asked for. */
export async function wholeReply<Result>(
  admitted: Admitted<Result>,
  bodyOf: (finished: Finished<Result>, content: string) => object,
  beginTrace?: BeginTrace,
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
  const trace: TracedEvent[] = [];
  const live = beginTrace?.(admitted, (event) => trace.push(event));
  const ended = await run(playedAs(admitted, live), sink, live?.observe);
  await live?.ended;
  const { headers } = admitted;
  if (!(ended instanceof Fault)) return { body: { ...bodyOf(ended, content), ...(live && { trace }) }, headers };
  // An SDK that asked again would begin all model calls again.
  return refuse(ended.code, ended.publicText, { ...headers, ...ended.headers, 'x-should-retry': 'false' });
}
