import { reasonOf, type Server, Stopped } from './client.ts';

/** A server, and what it can play. */
export interface FoundServer extends Server {
  /** True for the product, which has strategies, plans and judges; false for one of which only chat completions are known. */
  readonly isProduct: boolean;
}

const TITLE = /"title"\s*:\s*"Ensemble API"/;
const BEGINNING_BYTES = 65_536;
const TIME_MAX_MS = 30_000;

/** Tells by its open description what is at an address; nothing is called, and the key is not sent. */
export async function findServer({ baseUrl, key }: Server): Promise<FoundServer> {
  const paths = baseUrl.endsWith('/v1') ? [''] : ['', '/v1'];
  for (const path of paths)
    if (TITLE.test(await beginningOf(`${baseUrl}${path}/openapi.json`)))
      return { baseUrl: baseUrl + path, key, isProduct: true };
  return { baseUrl, key, isProduct: false };
}

async function beginningOf(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIME_MAX_MS) }).catch((error: unknown) => {
    throw new Stopped('failed', `The server at ${url} cannot be reached: ${reasonOf(error)}`);
  });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > BEGINNING_BYTES) break;
    }
  } catch {
    // What has come is enough, or it is another server.
  }
  return response.ok ? text : '';
}
