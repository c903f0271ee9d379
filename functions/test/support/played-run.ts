import { createHash } from 'node:crypto';
import { AnswerTimes } from '../../src/ensemble/answer-times';
import type { Candidate, EnsembleEvent } from '../../src/ensemble/events';
import { seatPanel } from '../../src/ensemble/panel';
import { runEnsemble } from '../../src/ensemble/run-ensemble';
import type { StrategyName } from '../../src/ensemble/strategy-names';
import type { Clock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import { createCatalog } from '../../src/models/catalog';
import { createGateway } from '../../src/models/gateway';
import type { ProviderCall } from '../../src/models/model';
import { createScriptedProvider, type Script } from '../../src/providers/scripted';
import type { LedgerStore } from '../../src/store/store';
import { Books } from '../../src/usage/books';
import { fakeClock } from './fake-clock';
import { NO_TRACE } from './request-scope';

const { modelOf } = createCatalog();

/** One run of the engine, without HTTP and without a store: for what must be seen in thousands of runs. */
export interface Play {
  /** Seeds every order in the run. */
  readonly id: string;
  readonly strategy: StrategyName;
  readonly models: readonly string[];
  readonly rounds: number;
  readonly script: Script;
  /** Default: on. */
  readonly explain?: boolean;
  readonly clock?: Clock;
}

/** What became of it. */
export interface Played {
  readonly ok: boolean;
  /** In the order made. */
  readonly calls: readonly ProviderCall[];
  readonly statuses: readonly string[];
  readonly answer: string;
  readonly explanation: string;
  readonly candidates: readonly Candidate[];
  readonly degraded: readonly string[];
}

/** The arbiter of every played run. */
export const UMPIRE = 'umpire-9';

/** The books write to nothing: these runs are about words. */
const LEDGER: LedgerStore = {
  checkpoint: async () => undefined,
  settle: async () => 'applied',
  listExpired: async () => [],
  findRecord: async () => undefined,
};

/** Plays one run to its end. Time stands still unless a clock is given. */
export async function playRun({ id, strategy, models, rounds, script, ...more }: Play): Promise<Played> {
  const { explain = true, clock = fakeClock() } = more;
  const calls: ProviderCall[] = [];
  const recorded: Script = (call) => {
    calls.push(call);
    return script(call);
  };
  const provider = createScriptedProvider({ clock, script: recorded, pieceDelayMs: 0 });
  const events: EnsembleEvent[] = [];
  const outcome = await runEnsemble({
    id,
    clock,
    startedAtMs: clock.nowMs(),
    trace: NO_TRACE,
    request: {
      strategy,
      rounds,
      panel: seatPanel(modelOf(UMPIRE), models.map(modelOf)),
      prompt: 'Is a tomato a fruit?',
      history: [],
      sampling: {},
      includeCandidates: true,
      includeExplanation: explain,
      includeFollowUps: false,
    },
    gateway: createGateway({ clock, provider: () => provider }),
    books: new Books(LEDGER, id, clock.nowMs()),
    answerTimes: new AnswerTimes(),
    log: createLog('silent'),
    clientGone: new AbortController().signal,
    live: false,
    emit: (event) => events.push(event),
    backPressure: () => undefined,
  });
  const texts = (type: 'status' | 'delta' | 'explanation' | 'degraded'): string[] =>
    events.flatMap((event) => (event.type === type ? [event.text] : []));
  return {
    ok: outcome.ok,
    calls,
    statuses: texts('status'),
    answer: texts('delta').join(''),
    explanation: texts('explanation').join(''),
    candidates: events.flatMap((event) => (event.type === 'candidates' ? event.list : [])),
    degraded: texts('degraded'),
  };
}

/** A text that a prompt shows as data. */
export interface Shown {
  readonly title: string;
  readonly text: string;
}

/** What a call shows its reader between fences, in order. */
export function shownTo(call: ProviderCall): Shown[] {
  return [...askedOf(call).matchAll(/^<<([0-9a-f]+) (.+)>>\n([\s\S]*?)\n<<\1 end \2>>$/gm)].map(
    ([, , title = '', inside = '']) => ({ title, text: inside }),
  );
}

/** All that a call asks and shows, as one text. */
export function askedOf({ prompt }: ProviderCall): string {
  return prompt.turns.map(({ text }) => text).join('\n');
}

/** A request id of the service's shape, always the same for a seed. */
export function requestId(seed: number | string): string {
  return createHash('sha256').update(`request\n${seed}`).digest('hex').slice(0, 32);
}

/** Whether a count is what `trials` fair draws of `chance` give, within five standard deviations. */
export function fairCount(count: number, trials: number, chance: number): boolean {
  return Math.abs(count - trials * chance) <= 5 * Math.sqrt(trials * chance * (1 - chance));
}
