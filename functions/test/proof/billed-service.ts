import { isDeepStrictEqual } from 'node:util';
import { reconcileMonths } from '../../src/ledger/reconcile';
import { readStream, type WireUsageRecord } from '../support/wire';
import { type Said, WIRES, type WireForm, wireEvents } from '../support/wires';
import { type Charge, chargesOf, pricedId, recordedCharges, sorted, type Total, totalOf } from './charges';
import type { Schedule } from './schedule';
import { bodyOf, panelOf } from './scheduled-panel';
import { type Exchange, startVirtualService } from './virtual-service';

/** A service whose every request is held against the upstream's bill. */
export interface BilledService extends AsyncDisposable {
  /** Runs a schedule over HTTP, by default at `/v1`; what the reply and the ledger have wrong about it, in words. */
  run(
    schedule: Schedule,
    wire?: WireForm,
  ): Promise<{ readonly exchange: Exchange; readonly charges: Charge[]; readonly flaws: string[] }>;
  /** Faults of `GET /v1/usage`, its lines and the ledger about everything that ran so far. */
  audit(): Promise<string[]>;
}

/** A schedule, the protocol in which it was asked for, and what its upstream bills. */
interface Asked {
  readonly charges: readonly Charge[];
  readonly schedule: Schedule;
  readonly wire: WireForm;
}

/** One token count or sum, by any name. */
type Figures = Readonly<Record<string, unknown>>;

const [CHAT_WIRE] = WIRES as readonly [WireForm];

export async function startBilledService(): Promise<BilledService> {
  const service = await startVirtualService();
  const { store } = service.app.container;
  const all: Charge[] = [];
  let requests = 0;

  const run: BilledService['run'] = async (schedule, wire = CHAT_WIRE) => {
    const seated = panelOf(schedule, pricedId);
    const body = { ...bodyOf(schedule, seated), ...wire.prompt() };
    const exchange = await service.post(wire.path, body, { ...schedule, ...seated });
    const charges = chargesOf(exchange.calls);
    const flaws: string[] = [];
    // Without a head the client does not know its request's id; the month will tell.
    const record = exchange.status === 0 ? undefined : await store.findRecord(exchange.requestId);
    if (record) {
      if (record.state !== 'settled') flaws.push(`the record is ${record.state}`);
      flaws.push(...differences('recorded', sorted(recordedCharges(record)), sorted(charges)));
    }
    flaws.push(...(await flawsTold(exchange, { charges, schedule, wire })));
    all.push(...charges);
    requests += 1;
    return { exchange, charges, flaws };
  };

  const audit = async (): Promise<string[]> => {
    const { body } = await service.get('/v1/usage');
    const [month]: WireUsageRecord[] = JSON.parse(body).data;
    const total = totalOf(all);
    const flaws = differences('the month', month && monthFigures(month), { requests, ...moneyAndTokens(total) });
    const byModel = Map.groupBy(all, ({ modelId }) => modelId);
    const expected = [...byModel].map(([id, own]) => ({ id, requests: own.length, ...moneyAndTokens(totalOf(own)) }));
    const lines = (month?.breakdown ?? []).map((line) => lineFigures(line as Figures));
    flaws.push(...differences('the models', byId(lines), byId(expected)));
    const keys = (month?.apiKeyBreakdown ?? []).map(({ cost, ...key }: Figures) => ({ ...key, cost: nano(cost) }));
    const tokens = total.promptTokens + total.completionTokens;
    flaws.push(
      ...differences('the keys', keys, [
        { keyName: 'alice-key', requests, totalTokens: tokens, cost: total.costNanoUsd },
      ]),
    );
    await reconcileMonths(store, service.clock, (difference) => flaws.push(JSON.stringify(difference)));
    return flaws;
  };
  return { run, audit, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Flaws in the usage of a reply: in all protocols its tokens, and at `/v1` everything. */
async function flawsTold(exchange: Exchange, { charges, schedule, wire }: Asked): Promise<string[]> {
  const total = totalOf(charges);
  const answer = answerOf(exchange, wire);
  if (answer && !answer.tokens && charges.length > 0) return ['no usage was told'];
  const tokens = [total.promptTokens, total.completionTokens];
  const flaws = answer?.tokens ? differences('tokens', answer.tokens, tokens) : [];
  const usage = wire === CHAT_WIRE ? await usageOf(exchange) : undefined;
  const told = usage && differences('told', inOrder(usage), { ...asTold(total, schedule), ...unpriced(charges) });
  return [...flaws, ...(told ?? [])];
}

/** A whole answer; undefined where there was none. */
function answerOf({ status, body, complete }: Exchange, wire: WireForm): Said | undefined {
  if (status !== 200 || !complete) return undefined;
  if (body.startsWith('{')) return wire.whole(JSON.parse(body));
  const said = wire.streamed(wireEvents(body));
  return said.error === undefined ? said : undefined;
}

/** The usage a reply ended with; undefined where there was none. */
async function usageOf({ status, body, complete }: Exchange): Promise<Figures | undefined> {
  if (status !== 200 || !complete) return undefined;
  if (!body.startsWith('data: ')) return JSON.parse(body).usage;
  const { chunks } = await readStream(new Response(body));
  return chunks.find(({ usage }) => usage)?.usage;
}

/** Figures as replies show them; details only where a provider reported them. */
function asTold(total: Total, { live }: Schedule): Figures {
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens, costNanoUsd } = total;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    ...(cachedPromptTokens > 0 && {
      input_token_details: { text_tokens: promptTokens, cached_tokens: cachedPromptTokens },
      prompt_tokens_details: { cached_tokens: cachedPromptTokens },
    }),
    ...(reasoningTokens > 0 && {
      output_token_details: { text_tokens: completionTokens },
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
    ...(live && { unifiedTokens: Math.ceil(costNanoUsd / 1_000) }),
  };
}

/** Models without a price are named to whoever pays. */
function unpriced(charges: readonly Charge[]): Figures {
  const ids = new Set(charges.map(({ modelId }) => modelId).filter((id) => id.startsWith('local-')));
  return ids.size > 0 ? { unpriced_models: [...ids].sort() } : {};
}

/** The same usage with its list in an order of its own. */
function inOrder({ unpriced_models: ids, ...usage }: Figures): Figures {
  return { ...usage, ...(Array.isArray(ids) && { unpriced_models: ids.toSorted() }) };
}

function moneyAndTokens({ promptTokens, completionTokens, costNanoUsd }: Total): Figures {
  return { prompt: promptTokens, completion: completionTokens, cost: costNanoUsd };
}

function monthFigures(month: WireUsageRecord): Figures {
  const { n_requests, n_context_tokens_total, n_generated_tokens_total, total_cost } = month;
  const tokens = { prompt: n_context_tokens_total, completion: n_generated_tokens_total };
  return { requests: n_requests, ...tokens, cost: nano(total_cost) };
}

function lineFigures({ model_id, n_requests, n_context_tokens, n_generated_tokens, cost }: Figures): Figures {
  return {
    id: model_id,
    requests: n_requests,
    prompt: n_context_tokens,
    completion: n_generated_tokens,
    cost: nano(cost),
  };
}

/** USD as they come over the wire, in whole nano-USD. */
function nano(usd: unknown): number {
  return Math.round(Number(usd) * 1e9);
}

function byId(lines: readonly Figures[]): Figures[] {
  return [...lines].sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
}

function differences(what: string, found: unknown, expected: unknown): string[] {
  return isDeepStrictEqual(found, expected)
    ? []
    : [`${what}: ${JSON.stringify(found)}, expected: ${JSON.stringify(expected)}`];
}
