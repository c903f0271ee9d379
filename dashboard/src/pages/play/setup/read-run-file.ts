import type { RunFile } from './run-settings';

/** The types that the server takes: images for models with vision, PDF and JSON for all. */
export const FILE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'application/json',
] as const;

/** Number of files of one run. */
const FILES_MAX = 8;
const BYTES_MAX = 2_883_584;
const NAME_CHARACTERS_MAX = 200;
/** Number of arguments that any browser lets a function have. */
const BYTES_AT_ONCE = 16_384;

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
    const flaw = flawOf(file, { bytesLeft, isFull: files.length >= FILES_MAX });
    if (flaw === undefined) {
      bytesLeft -= file.size;
      files.push({
        name: file.name.slice(0, NAME_CHARACTERS_MAX),
        media_type: typeOf(file),
        data: await base64Of(file),
      } as RunFile);
    } else flaws.push(`${file.name} ${flaw}.`);
  }
  return { files, flaws };
}

/** Number of bytes that a text in base64 stands for. */
export function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return (base64.length / 4) * 3 - padding;
}

function flawOf(
  file: File,
  { bytesLeft, isFull }: { readonly bytesLeft: number; readonly isFull: boolean },
): string | undefined {
  if (!(FILE_TYPES as readonly string[]).includes(typeOf(file)))
    return 'was left out: only images (PNG, JPEG, GIF, WebP), PDF and JSON can be read';
  if (isFull) return `was left out: a run takes ${FILES_MAX} files`;
  if (file.size > bytesLeft) return 'was left out: the files of a run may have 2.8 MB together';
  return file.size === 0 ? 'was left out: it is empty' : undefined;
}

/** Not every system knows the type of JSON. */
function typeOf({ type, name }: File): string {
  return type === '' && name.toLowerCase().endsWith('.json') ? 'application/json' : type;
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(from, from + BYTES_AT_ONCE));
  }
  return btoa(text);
}
