import { createHash } from 'node:crypto';

/** The per-request mark that fences texts; unguessable for a model, the same on replay. */
export function fenceNonce(requestId: string): string {
  return createHash('sha256').update(`fence\n${requestId}`).digest('hex').slice(0, 16);
}

/** What the fences of one request share. */
export interface FenceMark {
  /** Unguessable mark of this request's fences. */
  readonly nonce: string;
  /** Texts that were looked through before, and what came of it: every reader of a round is shown the same ones. */
  readonly lookedThrough?: Map<string, string>;
}

/** Fences one text as data. Every copy of the nonce inside it is removed, so the fence cannot be forged. */
export function fence(title: string, text: string, { nonce, lookedThrough }: FenceMark): string {
  const data = lookedThrough?.get(text) ?? withoutNonce(text, nonce);
  lookedThrough?.set(text, data);
  return `<<${nonce} ${title}>>\n${data}\n<<${nonce} end ${title}>>`;
}

/** What is not seen between the letters of a forged nonce: it still reads as the nonce. */
const INVISIBLE = /[\p{Cf}\p{Mn}\p{Me}]|(?![\t\n\r])\p{Cc}/gu;
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** Removes the nonce however it is spelt: in capitals, full-width letters, or with invisible characters in between. */
function withoutNonce(text: string, nonce: string): string {
  const read = ASCII.test(text) ? text : text.replace(INVISIBLE, '').normalize('NFKC');
  return read.toLowerCase().includes(nonce) ? removed(text, nonce) : text;
}

/** One pass, however often and however deep it is nested: removing a copy may join its neighbours into another. */
function removed(text: string, nonce: string): string {
  const kept: { readonly raw: string; readonly unit: string }[] = [];
  for (const raw of text) {
    const visible = raw.replace(INVISIBLE, '').normalize('NFKC').toLowerCase();
    // A character that reads as several is several units; the last one carries it.
    const units = [...visible];
    for (const [index, unit] of units.entries()) {
      kept.push({ raw: index === units.length - 1 ? raw : '', unit });
      if (endsWith(kept, nonce)) kept.length -= nonce.length;
    }
    if (units.length === 0) attach(kept, raw);
  }
  return kept.map(({ raw }) => raw).join('');
}

/** An invisible character goes where the one before it goes. */
function attach(kept: { raw: string; unit: string }[], raw: string): void {
  const last = kept.at(-1);
  if (last) kept[kept.length - 1] = { ...last, raw: last.raw + raw };
  else kept.push({ raw, unit: '\0' });
}

function endsWith(kept: readonly { readonly unit: string }[], nonce: string): boolean {
  if (kept.at(-1)?.unit !== nonce.at(-1) || kept.length < nonce.length) return false;
  return kept.slice(-nonce.length).every(({ unit }, index) => unit === nonce[index]);
}
