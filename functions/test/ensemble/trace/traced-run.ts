import { AnswerTimes } from '../../../src/ensemble/deadline/answer-times';
import { openEnsemble } from '../../../src/ensemble/open-ensemble';
import type { EnsembleRequest } from '../../../src/ensemble/run';
import { Fault, isRefusal } from '../../../src/errors';
import { ByteBudget } from '../../../src/lib/byte-budget';
import type { Clock } from '../../../src/lib/clock';
import { createGateway } from '../../../src/models/gateway/gateway';
import type { ModelProvider } from '../../../src/models/model';
import { admit } from '../../../src/runs/admit';
import { run } from '../../../src/runs/run';
import type { TraceEvent } from '../../../src/runs/trace-event';
import { runParts } from '../../support/run-parts';
import { type Script, scriptedModels } from '../../support/scripted-models';

/** One run as it is to be played. */
export interface TracedPlay {
  readonly request: EnsembleRequest;
  readonly script: Script;
  /** Plays every model instead, timed by the clock of the run. */
  readonly providerOf?: (clock: Clock) => ModelProvider;
  readonly live: boolean;
  /** So long after its start its client leaves. */
  readonly leavesAfterMs?: number | undefined;
  /** Default: it is observed. */
  readonly observed?: boolean;
}

/** Longer than any run may take. */
const LIMIT_MS = 600_000;

/** A run with all that is known of it: its trace, its reply, its ledger record and the calls that models got. */
export type TracedRun = Awaited<ReturnType<typeof playTraced>>;

/** Plays a run with an observer, from admission to its settled ledger, on a clock of its own. */
export async function playTraced({ request, script, providerOf, live, leavesAfterMs, observed = true }: TracedPlay) {
  const parts = runParts();
  const { clock, client, written } = parts;
  const models = scriptedModels(clock, script);
  const provider = providerOf?.(clock) ?? models;
  const gateway = createGateway({ clock, provider: () => provider });
  const deps = { ...parts.deps, gateway, memory: new ByteBudget(10 ** 9) };
  const admitted = await admit(deps, parts.request, openEnsemble(request, new AnswerTimes().of('alice')));
  if (isRefusal(admitted)) throw new Error(admitted.text);
  const events: TraceEvent[] = [];
  const pushed: string[] = [];
  let answer = '';
  const sink = {
    live,
    text: (piece: string) => {
      answer += piece;
      pushed.push(`text ${piece}`);
      return undefined;
    },
    status: (message: string) => void pushed.push(`status ${message}`),
  };
  if (leavesAfterMs !== undefined) clock.after(leavesAfterMs, () => client.abort());
  const ended = await clock.settle(
    run(admitted, sink, observed ? (event) => void events.push(event) : undefined),
    LIMIT_MS,
  );
  const [settlement] = written.settlements;
  if (!settlement) throw new Error('the run was not settled');
  return {
    events,
    /** Chunks that the reader of a reply was sent, in order. */
    pushed,
    answer,
    fault: ended instanceof Fault ? ended : undefined,
    finished: ended instanceof Fault ? undefined : ended,
    rows: settlement.calls,
    calls: models.calls,
  };
}
