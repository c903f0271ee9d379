/** One chunk of a stream, loosely typed for assertions. */
export interface WireChunk {
  readonly id?: string;
  readonly object?: string;
  readonly created?: number;
  readonly model?: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
    readonly explanation?: string;
    readonly followUpPrompts?: readonly string[];
  }[];
  readonly status?: string;
  readonly candidates?: readonly { readonly model: string; readonly text: string; readonly reasoning: string }[];
  readonly usage?: Readonly<Record<string, number>>;
  readonly degraded?: readonly string[];
  readonly error?: string;
}

/** A finished stream, taken apart. */
export interface WireStream {
  readonly raw: string;
  readonly chunks: WireChunk[];
  readonly done: boolean;
  readonly content: string;
}

/** Reads a whole event stream; throws on anything that is not a `data:` line and a blank line. */
export async function readStream(response: Response): Promise<WireStream> {
  const raw = await response.text();
  const events = raw.split('\n\n');
  if (events.pop() !== '') throw new Error('the stream does not end with a blank line');
  const data = events.map((event) => {
    if (!event.startsWith('data: ') || event.includes('\n')) throw new Error(`not one data line: ${event}`);
    return event.slice('data: '.length);
  });
  const done = data.at(-1) === '[DONE]';
  const chunks = (done ? data.slice(0, -1) : data).map((json) => JSON.parse(json) as WireChunk);
  const content = chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join('');
  return { raw, chunks, done, content };
}
