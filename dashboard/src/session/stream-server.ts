/** The addresses of two servers, without a slash at their ends. */
interface Servers {
  /** The origin of the page: Firebase Hosting, which hands requests on and keeps streams back until they are whole. */
  readonly page: string;
  /** The function itself; absent: the page was not told where it is. */
  readonly api: string | undefined;
}

const PROBE_TIMEOUT_MS = 5_000;

/**
 * Finds the server to ask for streams: the function itself, where a page of this origin may and can ask it. Else, as under a
 * domain that the function was not told of, it is the server of the page: what is streamed then comes late, but comes. It is
 * looked for when it is first needed, until it is found.
 */
export function streamServer({ page, api }: Servers): () => Promise<string> {
  let isReached = false;
  return async () => {
    if (api === undefined) return page;
    isReached ||= await answers(`${api}/dashboard/config.json`);
    return isReached ? api : page;
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    // What is not read is broken off, and its connection lost.
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
