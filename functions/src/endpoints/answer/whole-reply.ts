import { Fault, type Refusal, refuse } from '../../errors';
import type { JsonReply } from '../../http/reply';
import type { Admitted } from '../../runs/admit';
import { type Finished, run } from '../../runs/run';

/** Plays an admitted run to its end and replies in one piece. */
export async function wholeReply<Result>(
  admitted: Admitted<Result>,
  bodyOf: (finished: Finished<Result>, content: string) => object,
): Promise<JsonReply | Refusal> {
  let content = '';
  const ended = await run(admitted, {
    live: false,
    text: (piece) => {
      content += piece;
      return undefined;
    },
    status: () => undefined,
  });
  const { headers } = admitted;
  if (!(ended instanceof Fault)) return { body: bodyOf(ended, content), headers };
  // An SDK that asked again would begin all model calls again.
  return refuse(ended.code, ended.publicText, { ...headers, 'x-should-retry': 'false' });
}
