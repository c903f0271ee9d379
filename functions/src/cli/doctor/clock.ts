import type { Container } from '../../container';
import { upstreamFetch } from '../../providers/transport/upstream-fetch';
import type { Finding } from './finding';

/** Beyond it expiries, rate limits and months are those of another time. */
const OFF_MAX_MS = 60_000;
const ASK_MAX_MS = 10_000;

const MENDS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};
const MEND = MENDS[process.platform] ?? 'sudo timedatectl set-ntp true';

const ORIGINS = {
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
} as const;

interface Around {
  /** Whether a provider may be asked. */
  readonly call: boolean;
  readonly store: Finding;
}

/** Compares the clock with what the store has last written and, where it may be asked, with a provider's. */
export async function clockFinding({ config, store, clock }: Container, around: Around): Promise<Finding> {
  const check = 'clock';
  const nowMs = clock.nowMs();
  const says = new Date(nowMs).toISOString();
  const later = around.store.status === 'ok' ? await store.listActs({ sinceMs: nowMs + OFF_MAX_MS, max: 1 }) : [];
  const [act] = later;
  if (act) {
    const written = new Date(act.atMs).toISOString();
    return { check, status: 'wrong', says: `${says}, but the store has been written at ${written}`, mend: MEND };
  }
  const theirs = around.call ? await timeAt(originOf(config)) : undefined;
  if (theirs === undefined) return { check, status: 'ok', says };
  const offMs = Math.abs(theirs - clock.nowMs());
  if (offMs <= OFF_MAX_MS) return { check, status: 'ok', says: `${says}, as that of a provider` };
  return { check, status: 'wrong', says: `${says} is ${Math.round(offMs / 1_000)} s off a provider's`, mend: MEND };
}

function originOf({ providers }: Container['config']): string | undefined {
  const [first] = (['openai', 'anthropic', 'google'] as const).filter((id) => providers[id] !== undefined);
  return first && (providers[first]?.baseUrl ?? ORIGINS[first]);
}

/** What a server's replies call their date; it is sent no key. */
async function timeAt(url: string | undefined): Promise<number | undefined> {
  if (url === undefined) return undefined;
  try {
    const response = await upstreamFetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ASK_MAX_MS) });
    const timeMs = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(timeMs) ? undefined : timeMs;
  } catch {
    return undefined;
  }
}
