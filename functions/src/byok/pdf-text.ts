import { spawn } from 'node:child_process';
import { FairSlots } from '../lib/fair-slots';

/** Why a PDF gave no text. */
export type PdfTrouble = 'unreadable' | 'locked' | 'too_large' | 'busy';

/** The text of a PDF, pages parted by blank lines; empty when it has none, as a scan. */
export type PdfReading = { readonly text: string } | { readonly trouble: PdfTrouble };

/** Reads the text of a PDF for a user. Never throws. */
export type PdfReader = (bytes: Uint8Array, userId: string) => Promise<PdfReading>;

const TIME_MAX_MS = 8_000;
/** More is of no use, and a small file can hold a lot of it. */
const CHARACTERS_MAX = 1_000_000;
/** In JSON a character takes six bytes at most. */
const OUTPUT_BYTES_MAX = 6 * CHARACTERS_MAX + 100;
/** Files of one user that may wait for their turn. */
const WAITING_MAX = 4;

const LIMITS = {
  charactersMax: CHARACTERS_MAX,
  pagesMax: 2_000,
  heapMiB: 160,
  buffersMaxBytes: 96 * 1024 * 1024,
  weighEveryMs: 20,
};

/**
 * `unpdf` (PDF.js) in a process of its own, which has no environment and so no secret: parsing takes whole seconds for an
 * honest file and as long as it likes for one that was made to, and code that a file might bring to run would find
 * nothing. In it a thread parses, of which the process watches heap and buffers: a small file may inflate without end. It
 * is source text since a bundle has no second file to start.
 */
const PROGRAM = `
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const { module: parser, program, ...limits } = isMainThread ? JSON.parse(process.argv[1]) : workerData;

async function parse(bytes) {
  const { getDocumentProxy } = require(parser);
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, useSystemFonts: false });
  const pages = [];
  let left = limits.charactersMax;
  for (let number = 1; number <= Math.min(pdf.numPages, limits.pagesMax) && left > 0; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(items.map((item) => (item.str ?? '') + (item.hasEOL ? '\\n' : '')).join('').trim().slice(0, left));
    left -= pages.at(-1).length;
    page.cleanup();
  }
  return { text: pages.filter((text) => text !== '').join('\\n\\n').toWellFormed() };
}

function watch(bytes) {
  const end = (reading) => process.stdout.write(JSON.stringify(reading), () => process.exit());
  const worker = new Worker(program, {
    eval: true,
    env: {},
    stdout: true,
    stderr: true,
    workerData: { ...limits, module: parser, bytes },
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMiB, maxYoungGenerationSizeMb: 32 },
  });
  worker.once('message', end);
  worker.once('error', () => end({ trouble: 'too_large' }));
  setInterval(async () => {
    const { external_memory: held } = await worker.getHeapStatistics().catch(() => ({ external_memory: 0 }));
    if (held > limits.buffersMaxBytes) end({ trouble: 'too_large' });
  }, limits.weighEveryMs);
}

if (isMainThread) {
  const pieces = [];
  process.stdin.on('data', (piece) => pieces.push(piece));
  process.stdin.on('end', () => watch(Uint8Array.from(Buffer.concat(pieces))));
} else {
  parse(workerData.bytes).then(
    (reading) => parentPort.postMessage(reading),
    (error) => parentPort.postMessage({ trouble: error?.name === 'PasswordException' ? 'locked' : 'unreadable' }),
  );
}
`;

const slots = new FairSlots(1);
const waiting = new Map<string, number>();

/** Reads a PDF within limits of time and memory, one at a time in this process; users take turns. */
export const readPdf: PdfReader = async (bytes, userId) => {
  const others = waiting.get(userId) ?? 0;
  if (others >= WAITING_MAX) return { trouble: 'busy' };
  waiting.set(userId, others + 1);
  const release = slots.tryTake(userId) ?? (await slots.wait(userId));
  try {
    return await readAlone(bytes);
  } finally {
    release?.();
    const left = (waiting.get(userId) ?? 1) - 1;
    if (left > 0) waiting.set(userId, left);
    else waiting.delete(userId);
  }
};

async function readAlone(bytes: Uint8Array): Promise<PdfReading> {
  const told = JSON.stringify({ module: require.resolve('unpdf'), program: PROGRAM, ...LIMITS });
  const child = spawn(process.execPath, ['-e', PROGRAM, told], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const pieces: Buffer[] = [];
  let length = 0;
  let ended: PdfTrouble = 'unreadable';
  const stop = (): void => {
    ended = 'too_large';
    child.kill('SIGKILL');
  };
  const timer = setTimeout(stop, TIME_MAX_MS);
  child.stdout.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > OUTPUT_BYTES_MAX) stop();
    else pieces.push(piece);
  });
  // A process that ends before it has read everything has said why, or is read as one that failed.
  child.stdin.on('error', ignore);
  child.stdin.end(bytes);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  child.once('error', () => resolve());
  child.once('close', () => resolve());
  await closed;
  clearTimeout(timer);
  return readingIn(Buffer.concat(pieces).toString()) ?? { trouble: ended };
}

/** What the process has said; undefined where it has not come to it. */
function readingIn(said: string): PdfReading | undefined {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

function ignore(): void {}
