import { createHash } from 'node:crypto';
import { AnswerTimes } from '../../src/ensemble/deadline/answer-times';
import type { RunLimits } from '../../src/ensemble/estimate/limits';
import { openEnsemble } from '../../src/ensemble/open-ensemble';
import { seatPanel } from '../../src/ensemble/panel/panel';
import type { EnsembleRequest } from '../../src/ensemble/run';
import { STRATEGIES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import type { LedgerStore } from '../../src/ledger/ledger-store';
import { RequestLedger } from '../../src/ledger/request-ledger';
import type { Clock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import { createCatalog } from '../../src/models/catalog';
import { createGateway } from '../../src/models/gateway/gateway';
import type { ProviderCall } from '../../src/models/model';
import { fakeClock } from './fake-clock';
import { scopeOf } from './request-scope';
import { type Script, scriptedModels } from './scripted-models';
import { reservation } from './store-records';

const { modelOf } = createCatalog();

/** One run of the engine, without HTTP and without a store: for what must be seen in thousands of runs. */
export interface Play {
  /** Seeds every order in the run. */
  readonly id: string;
  readonly strategy: StrategyName;
  readonly models: readonly string[];
  /** Default: `UMPIRE`. */
  readonly arbiter?: string;
  readonly rounds: number;
  readonly script: Script;
  /** Default: a question about tomatoes. */
  readonly message?: string;
  /** Default: on. */
  readonly explain?: boolean;
  readonly clock?: Clock;
  /** Default: off. */
  readonly followUps?: boolean;
  readonly limits?: RunLimits;
  /** Fields of the request beside these. Default: none. */
  readonly fields?: Partial<EnsembleRequest>;
}

/** A run that was played. */
export type Played = Awaited<ReturnType<typeof playRun>>;

/** The arbiter of every played run that names no other. */
export const UMPIRE = 'umpire-9';

/** A store that keeps nothing: these runs are about words. */
const STORE: LedgerStore = {
  checkpointEveryMs: 1_000,
  checkpoint: async () => undefined,
  settle: async () => 'applied',
  abandon: async () => 'applied',
  listExpired: async () => [],
  postpone: async () => undefined,
  findRecord: async () => undefined,
};

/** The request of a played run. */
export function requestOf(play: Partial<Pick<Play, 'id'>> & Omit<Play, 'id' | 'script'>): EnsembleRequest {
  const { id = 'run', strategy, models, arbiter = UMPIRE, rounds, message = 'Is a tomato a fruit?' } = play;
  return {
    requestId: id,
    strategy: STRATEGIES[strategy],
    rounds,
    panel: seatPanel(modelOf(arbiter), models.map(modelOf)),
    message,
    history: [],
    sampling: {},
    includeCandidates: true,
    includeExplanation: play.explain ?? true,
    includeFollowUps: play.followUps ?? false,
    ...(play.limits && { limits: play.limits }),
    ...play.fields,
  };
}

/** Plays one run to its end. Time stands still unless a clock is given. */
export async function playRun({ id, script, clock = fakeClock(), ...asked }: Play) {
  const provider = scriptedModels(clock, script);
  const ledger = new RequestLedger(STORE, reservation(id, { startedAtMs: clock.nowMs() }));
  const statuses: string[] = [];
  let answer = '';
  const ended = await openEnsemble(requestOf({ id, ...asked }), new AnswerTimes().of('alice'))
    .play({
      id,
      startedAtMs: clock.nowMs(),
      gateway: createGateway({ clock, provider: () => provider }),
      scope: scopeOf(id),
      ledger,
      clock,
      log: createLog('silent'),
      signal: new AbortController().signal,
      sink: {
        live: false,
        text: (piece) => {
          answer += piece;
          return undefined;
        },
        status: (message) => {
          statuses.push(message);
        },
      },
    })
    .catch((): undefined => undefined);
  return {
    ok: ended !== undefined,
    /** In the order made. */
    calls: provider.calls,
    statuses,
    answer,
    explanation: ended?.explanation ?? '',
    candidates: ended?.candidates ?? [],
    degraded: ended?.degraded ?? [],
    agreement: ended?.agreement,
    costNanoUsd: ledger.totals().costNanoUsd,
  };
}

/** A text that a prompt shows as data. */
export interface Shown {
  readonly title: string;
  readonly text: string;
}

/** The texts that a call shows its reader between fences, in order. */
export function shownTo(call: ProviderCall): Shown[] {
  return [...askedOf(call).matchAll(/^<<([0-9a-f]+) (?!end )(.+)>>\n([\s\S]*?)\n<<\1 end \2>>$/gm)].map(
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

/** True if a count is what `trials` fair draws of `chance` give, within five standard deviations. */
export function fairCount(count: number, trials: number, chance: number): boolean {
  return Math.abs(count - trials * chance) <= 5 * Math.sqrt(trials * chance * (1 - chance));
}
