import { systemClock } from '../../lib/clock';
import { isEndpoint, type ModelRow } from '../../models/catalog';
import { ModelFault, type ModelFaultKind } from '../../models/model-fault';
import { createProviderTable, PROTOCOLS } from '../../providers/provider-table';
import type { Services } from '../../services';

/** One thing that the doctor has looked at. */
export interface Finding {
  readonly check: string;
  /** `warning`: it works, but perhaps not as somebody thinks. */
  readonly status: 'ok' | 'warning' | 'wrong';
  /** A fact in words, without a key or anything that an upstream has said. */
  readonly says: string;
  /** The command or the step that mends it. */
  readonly mend?: string;
}

const CALL_MAX_MS = 30_000;
/** Enough for models that think before they write one. */
const OUTPUT_TOKENS_MAX = 256;

/** One model of each provider that is configured: of the panel and its arbiter first, then of those on offer. */
export function modelsToCall({ offered, catalog, config }: Services): ModelRow[] {
  const speaking = [offered.defaultModel, ...offered.defaultPanel].map(catalog.modelOf);
  const rows = [...speaking, ...offered.offeredModels].filter(({ provider }) => provider in config.providers);
  return rows.filter((row, at) => rows.findIndex(({ provider }) => provider === row.provider) === at);
}

/** Asks each for a word. What a provider says is not repeated, only what kind of answer it was. */
export function callModels({ config }: Services, models: readonly ModelRow[]): Promise<Finding[]> {
  const provider = createProviderTable(config.providers, systemClock);
  return Promise.all(
    models.map(async (model) => {
      const check = 'provider';
      const failed = await faultOf(() => askOne(provider(model.provider), model));
      if (failed === undefined) return { check, status: 'ok', says: `${model.id} answers` } as const;
      const says = `${model.id}: ${failed.replaceAll('_', ' ')}`;
      return { check, status: 'wrong', says, mend: mendOf(failed, model) } as const;
    }),
  );
}

async function askOne(provider: ReturnType<ReturnType<typeof createProviderTable>>, model: ModelRow): Promise<void> {
  const call = {
    providerModel: model.providerModel,
    prompt: { turns: [{ role: 'user', text: 'Reply with the word OK.' }] },
    sampling: {},
    purpose: 'answer',
    outputTokensMax: OUTPUT_TOKENS_MAX,
    signal: AbortSignal.timeout(CALL_MAX_MS),
  } as const;
  const nothing = (): undefined => undefined;
  await provider.run(call, {
    ...{ text: nothing, toolCall: nothing, pending: nothing, usage: nothing, web: nothing, alive: nothing },
  });
}

async function faultOf(ask: () => Promise<void>): Promise<ModelFaultKind | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    const kind = error instanceof ModelFault ? error.kind : 'network';
    return kind === 'aborted' ? 'timeout' : kind;
  }
}

const MENDS: Readonly<Partial<Record<ModelFaultKind, string>>> = {
  not_found: 'set DEFAULT_MODEL and DEFAULT_PANEL to models that it serves: curl <base URL>/models lists them',
  rate_limited: 'wait a minute; if it stays so, look at the quota and the billing of the account',
  out_of_credit: 'the account has no credit left: look at its billing',
  wrong_address: 'correct the base URL: it ends where /chat/completions begins (OPENAI_BASE_URL: in /v1 or the like)',
  network: 'look at the connection and the base URL: curl -sSI <base URL>',
  timeout: 'look at the connection and the base URL: curl -sSI <base URL>',
};

function mendOf(fault: ModelFaultKind, { provider }: ModelRow): string {
  if (fault === 'unauthorized') return `correct ${keyOf(provider)} (functions/.env.local, or the shell)`;
  return MENDS[fault] ?? 'try again later: npm run doctor -- --call';
}

function keyOf(provider: ModelRow['provider']): string {
  if (provider === 'scripted' || provider === 'router') return 'the key';
  return isEndpoint(provider) ? 'ENDPOINT_KEYS' : PROTOCOLS[provider].keyVariable;
}
