import { ApiError } from '../api/api-error';
import { readEvents } from '../api/read-events';
import type { PageSight } from './page-sight';
import type { RunEvent } from './run-events';
import type { RunStore } from './run-store';

/** The page's connection to the server about a run. */
export type Connection =
  | { readonly is: 'none' | 'opening' | 'open' | 'over' }
  /** It broke off, and is being resumed. */
  | { readonly is: 'lost' }
  /** The run did not start, or cannot be found any more. */
  | { readonly is: 'refused' | 'gone'; readonly error: unknown };

interface Following {
  readonly store: Pick<RunStore, 'apply' | 'latest'>;
  /** The events that are there already, as of a run that was just begun. */
  readonly first?: ReadableStream<Uint8Array>;
  /** The events after the one of this place. */
  readonly resume: (afterSeq: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  readonly tell: (connection: Connection) => void;
  /** Aborted: the page looks at something else. */
  readonly signal: AbortSignal;
  /** Resolves after so many milliseconds, or sooner where it is worth a try. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * Given where the server may be left for a time: a page in the background then looks in now and again. Browsers open six
   * connections to a server without HTTP/2, for all tabs together, and one that held its own would be missing elsewhere.
   */
  readonly sight?: PageSight;
}

const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 15_000;
/** The interval at which a page in the background looks in. */
const LOOK_IN_EVERY_MS = 30_000;
/** The server breaks its silence every ten seconds. */
const SILENCE_MAX_MS = 25_000;
const TRY_AGAIN_STATUSES: ReadonlySet<number> = new Set([0, 408, 429]);

/** Follows a run to its end, over as many connections as that takes; every event is applied once, in order. */
export async function followRun(following: Following): Promise<void> {
  const { store, tell, signal, wait, sight } = following;
  let { first } = following;
  for (let failures = 0; !signal.aborted; ) {
    const before = store.latest().nextSeq;
    const { error, isHidden } = await followOnce(following, first);
    first = undefined;
    if (signal.aborted) return;
    if (store.latest().end) return tell({ is: 'over' });
    if (isHidden) {
      await sight?.untilSeen(LOOK_IN_EVERY_MS, signal);
      continue;
    }
    if (error instanceof ApiError && !isWorthATry(error)) return tell({ is: 'gone', error });
    failures = store.latest().nextSeq > before ? 0 : failures + 1;
    tell({ is: 'lost' });
    await wait(Math.min(FIRST_WAIT_MS * 2 ** failures, WAIT_MAX_MS), signal);
  }
}

/** Why a connection ended: it broke off, or was given back as the page cannot be seen. */
interface Ending {
  readonly error?: unknown;
  readonly isHidden: boolean;
}

/** One connection, to its end. */
async function followOnce(
  { store, resume, tell, signal, sight }: Following,
  first: ReadableStream<Uint8Array> | undefined,
): Promise<Ending> {
  let isHidden = false;
  const broken = new AbortController();
  const silence = watchSilence(() => broken.abort());
  const looked = sight?.onHidden(() => {
    isHidden = true;
    broken.abort();
  });
  try {
    const either = AbortSignal.any([signal, broken.signal]);
    const stream = first ?? (await resume(store.latest().nextSeq - 1, either));
    tell({ is: 'open' });
    const apply = (events: readonly RunEvent[]): void => {
      store.apply(events);
      if (store.latest().hasGap) broken.abort();
    };
    // Piped, as what aborts it need not abort the request that it comes from.
    const abortable = stream.pipeThrough(new TransformStream(), { signal: either });
    await readEvents<RunEvent>(abortable, { events: apply, alive: silence.again });
    return { isHidden };
  } catch (error) {
    return { error, isHidden };
  } finally {
    looked?.();
    silence.end();
  }
}

function isWorthATry({ status }: ApiError): boolean {
  return status >= 500 || TRY_AGAIN_STATUSES.has(status);
}

function watchSilence(onSilence: () => void): { again(): void; end(): void } {
  let timer = setTimeout(onSilence, SILENCE_MAX_MS);
  const end = (): void => clearTimeout(timer);
  return {
    end,
    again: () => {
      end();
      timer = setTimeout(onSilence, SILENCE_MAX_MS);
    },
  };
}
