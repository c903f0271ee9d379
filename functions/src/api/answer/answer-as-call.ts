import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { Fault } from '../../errors';
import type { ToolCall } from '../../models/tools';
import type { Finished } from '../../runs/run';
import type { EventSink } from '../../runs/run-context';
import type { TracedEvent } from '../../runs/trace-event';

export type Tell = (event: TracedEvent) => void;

/** Plays a run once; `tell` has each event of its trace as it may be shown. */
export type Play<Result> = (sink: EventSink, tell?: Tell) => Promise<Finished<Result> | Fault>;

/**
 * Plays the same run, whose answer goes out as the arguments of a call as it comes. An answer that does not begin as an
 * object does is no call, and stays a text. Its trace has the answer either way.
 */
export function playAsCall(call: Pick<ToolCall, 'id' | 'name'>, play: Play<EnsembleResult>): Play<EnsembleResult> {
  return async (sink, tell) => {
    let text = '';
    let isCall: boolean | undefined;
    const pass = (piece: string): Promise<void> | undefined => {
      const hasBegun = isCall !== undefined;
      text += piece;
      // A blank beginning tells nothing yet.
      if (!hasBegun && piece.trim() === '') return undefined;
      isCall ??= piece.trimStart().startsWith('{');
      if (!isCall) return sink.text(hasBegun ? piece : text);
      return sink.toolCall?.(hasBegun ? { index: 0, arguments: piece } : { index: 0, begins: call, arguments: text });
    };
    const ended = await play({ ...sink, text: pass }, tell);
    if (ended instanceof Fault || !isCall) return ended;
    return { ...ended, result: { ...ended.result, toolCalls: [{ ...call, arguments: text }] } };
  };
}
