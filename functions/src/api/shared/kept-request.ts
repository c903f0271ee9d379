/** `data:image/png;base64,…` up to its comma. */
const DATA_URL = /^data:([\w.+/-]{1,100})(?:;[\w=.-]{1,100})*,/;
/** Fields of the protocols that hold such. */
const URL_FIELDS: readonly string[] = ['url', 'image_url', 'file_data'];

/**
 * A request as it is kept with its run: the body as it was sent, with the name, media type and size of each file in the
 * place of the file.
 */
export function keptRequest(body: object): object {
  const kept = withoutData(body) as { readonly attachments?: unknown };
  return Array.isArray(kept.attachments) ? { ...kept, attachments: kept.attachments.map(withoutFile) } : kept;
}

function withoutFile(file: unknown): unknown {
  if (typeof file !== 'object' || file === null) return file;
  const { data, ...rest } = file as { readonly data?: unknown };
  return typeof data === 'string' ? { ...rest, bytes: Buffer.byteLength(data, 'base64') } : rest;
}

/** JSON of a body is not deep: `lib/json.ts` sees to that. */
function withoutData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutData);
  if (typeof value !== 'object' || value === null) return value;
  if ('data' in value && 'type' in value && value.type === 'base64') return withoutFile(value);
  const fields = Object.entries(value).map(([name, held]) => [
    name,
    URL_FIELDS.includes(name) ? shortUrl(held) : withoutData(held),
  ]);
  return Object.fromEntries(fields);
}

function shortUrl(text: unknown): unknown {
  if (typeof text !== 'string') return withoutData(text);
  const [head, type] = DATA_URL.exec(text) ?? [];
  if (head === undefined) return text;
  return `data:${type},${Buffer.byteLength(text.slice(head.length), 'base64')} bytes`;
}
