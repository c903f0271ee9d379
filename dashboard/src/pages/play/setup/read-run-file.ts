import type { RunFile } from './run-settings';

/** Number of files of one run. */
const FILES_MAX = 8;
const BYTES_MAX = 2_883_584;
const TEXT_CHARACTERS_MAX = 400_000;
const NAME_CHARACTERS_MAX = 200;
/** Number of arguments that any browser lets a function have. */
const BYTES_AT_ONCE = 16_384;

/** Types that are sent as they are: images for models with vision, PDF for all. */
const BINARY_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const;
/** Types of texts by the end of a name; all other texts are plain ones. */
const TEXT_TYPES = {
  json: 'application/json',
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
} as const;

/** Files that were read, and what is wrong with the others, in words. */
export interface ReadFiles {
  readonly files: readonly RunFile[];
  readonly flaws: readonly string[];
}

/** Reads files into the form in which they are sent, as many as fit beside those that are there. */
export async function readRunFiles(chosen: readonly File[], there: readonly RunFile[]): Promise<ReadFiles> {
  const files: RunFile[] = [...there];
  const flaws: string[] = [];
  let bytesLeft = BYTES_MAX - there.reduce((sum, { data }) => sum + bytesOf(data), 0);
  for (const file of chosen) {
    const read = flawOf(file, { bytesLeft, isFull: files.length >= FILES_MAX }) ?? (await contentOf(file));
    if (typeof read === 'string') flaws.push(`${file.name} was left out: ${read}.`);
    else {
      const data = base64Of(read.bytes);
      bytesLeft -= bytesOf(data);
      files.push({ name: file.name.slice(0, NAME_CHARACTERS_MAX), media_type: read.type, data });
    }
  }
  return { files, flaws };
}

/** Number of bytes that a text in base64 stands for. */
function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return (base64.length / 4) * 3 - padding;
}

function flawOf(
  { size }: File,
  { bytesLeft, isFull }: { readonly bytesLeft: number; readonly isFull: boolean },
): string | undefined {
  if (isFull) return `a run takes ${FILES_MAX} files`;
  if (size > bytesLeft) return 'the files of a run may have 2.8 MB together';
  return size === 0 ? 'it is empty' : undefined;
}

type Content = { readonly bytes: Uint8Array; readonly type: RunFile['media_type'] };

/** The bytes and their type, or what is wrong with them. Every text can be sent, whatever it is called. */
async function contentOf(file: File): Promise<Content | string> {
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) return 'it cannot be read';
  const bytes = new Uint8Array(buffer);
  const binary = BINARY_TYPES.find((type) => type === file.type);
  if (binary) return { bytes, type: binary };
  const text = textOf(bytes);
  if (text === undefined) return 'it is neither a text nor a PDF nor an image (PNG, JPEG, GIF, WebP)';
  if (text.length > TEXT_CHARACTERS_MAX) return 'the texts of a run may have 400,000 characters together';
  return { bytes: new TextEncoder().encode(text), type: textType(file.name, text) };
}

/** The text in UTF-8, or in UTF-16 as Windows writes it; undefined where it is none. */
function textOf(bytes: Uint8Array): string | undefined {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** JSON with comments is a text like any other. */
function textType(name: string, text: string): Content['type'] {
  const end = name.split('.').at(-1)?.toLowerCase() ?? '';
  const type = Object.hasOwn(TEXT_TYPES, end) ? TEXT_TYPES[end as keyof typeof TEXT_TYPES] : 'text/plain';
  return type === 'application/json' && !isJson(text) ? 'text/plain' : type;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(from, from + BYTES_AT_ONCE));
  }
  return btoa(text);
}
