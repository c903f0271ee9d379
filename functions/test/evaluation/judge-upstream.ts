import type { Settlement } from '../../src/ledger/ledger-store';
import { systemClock } from '../../src/lib/clock';
import { type App, startApp, watchSettlement } from '../support/app';
import { type Reply, startFakeUpstream } from '../support/fake-upstream';
import { honest, verdictOf } from '../support/judges';
import { PROTOCOLS, type WireCall } from '../support/protocols';

/** A judge's call, and how many to the same model came before. */
export interface JudgeCall extends WireCall {
  readonly earlier: number;
}

/** Reply of a judge on the wire: a text, or any other reply. */
export type JudgeReply = string | Reply;

type JudgeUpstream = Awaited<ReturnType<typeof startJudgeUpstream>>;

const USAGE = { promptTokens: 100, completionTokens: 20 };

/**
 * Upstream models on one real server, in the wire format of whichever provider asks. Until told otherwise they say
 * nothing of use.
 */
async function startJudgeUpstream() {
  const calls: JudgeCall[] = [];
  /** Tokens of every reply that the upstream finished. */
  const ledger = { promptTokens: 0, completionTokens: 0 };
  let judge: (call: JudgeCall) => JudgeReply = () => 'Hm.';
  const upstream = await startFakeUpstream((exchange) => {
    const protocol = PROTOCOLS.find(({ path }) => path.test(exchange.request.path));
    if (!protocol) throw new Error(`no protocol has the path ${exchange.request.path}`);
    const read = protocol.read(exchange.request);
    const call = { ...read, earlier: calls.filter(({ providerModel }) => providerModel === read.providerModel).length };
    calls.push(call);
    const reply = judge(call);
    if (typeof reply !== 'string') return reply(exchange);
    ledger.promptTokens += USAGE.promptTokens;
    ledger.completionTokens += USAGE.completionTokens;
    return exchange.end(protocol.reply(reply, USAGE.promptTokens, USAGE.completionTokens));
  });
  return {
    providers: Object.fromEntries(PROTOCOLS.map(({ name, create }) => [name, create(upstream.url)])),
    calls,
    ledger,
    play: (next: typeof judge) => {
      judge = next;
    },
    close: upstream.close,
  };
}

/** For each test a service, on the clock of the system, whose judges are on such a server; `settled` is its next record. */
export function judgeScene() {
  const scene = {} as { app: App; upstream: JudgeUpstream; settled: Promise<Settlement> };
  beforeEach(async () => {
    const upstream = await startJudgeUpstream();
    const { settled, wrapStore } = watchSettlement();
    const app = await startApp({ clock: systemClock, providers: upstream.providers, wrapStore });
    Object.assign(scene, { upstream, settled, app });
  });
  afterEach(async () => {
    await scene.app.close();
    await scene.upstream.close();
  });
  return scene;
}

/** A verdict by an honest judge. */
export const good = (call: JudgeCall): string => verdictOf(call, honest);

/** A good verdict with its items changed. */
export function changed(call: JudgeCall, change: (items: Record<string, unknown>[]) => unknown): string {
  return JSON.stringify({ items: change(JSON.parse(good(call)).items) });
}
