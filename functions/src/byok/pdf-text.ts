import { spawn } from 'node:child_process';
import type { Clock } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
import { Lru } from '../lib/lru';

/** Why a PDF gave no text; `time_used_up`: its user has had the time of this minute. */
export type PdfTrouble = 'unreadable' | 'locked' | 'too_large' | 'time_used_up';

/** The text of a PDF, pages parted by blank lines; empty when it has none, as a scan. */
export type PdfReading = { readonly text: string } | { readonly trouble: PdfTrouble };

export type PdfReader = (bytes: Uint8Array, userId: string) => Promise<PdfReading>;

const TIME_MAX_MS = 8_000;
/** One more than a request may have: a small file can hold a lot of them. */
const CHARACTERS_MAX = 400_001;
/** In JSON a character takes six bytes at most. */
const OUTPUT_BYTES_MAX = 6 * CHARACTERS_MAX + 100;
/** Reading the files of one user takes no more in any minute. */
const TIME_A_MINUTE_MAX_MS = 10_000;
const MINUTE_MS = 60_000;
/** Users whose time is remembered at most; one who is forgotten has all of it. */
const USERS_MAX = 10_000;
/** A file of 2.8 MB takes 50 MiB of heap; with Node's own memory none takes more than 200 MiB, and two fit. */
const LIMITS = {
  charactersMax: CHARACTERS_MAX,
  pagesMax: 2_000,
  heapMiB: 64,
  buffersMaxBytes: 48 * 1024 * 1024,
  weighEveryMs: 20,
};

/** `unpdf` in a process without an environment, in a thread whose memory it watches. Source text: a bundle is one file. */
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
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMiB, maxYoungGenerationSizeMb: 8 },
  });
  worker.once('message', end);
  worker.once('error', () => end({ trouble: 'too_large' }));
  setInterval(async () => {
    const { external_memory: held } = await worker.getHeapStatistics().catch(() => ({ external_memory: 0 }));
    if (held > limits.buffersMaxBytes) end({ trouble: 'too_large' });
  }, limits.weighEveryMs);
}

if (isMainThread) {
  // On Linux, where memory runs out, this process is to be ended and not the server.
  require('node:fs').writeFile('/proc/self/oom_score_adj', '1000', () => {});
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

/** Builds the reader of a process, which keeps to limits of time and memory; users take turns. */
export function createPdfReader(clock: Clock): PdfReader {
  // One user has one of the two, and whoever comes next finds the other free.
  const slots = new FairSlots(2, { leavesFree: true });
  const spans = new Lru<string, readonly { readonly endedAtMs: number; readonly tookMs: number }[]>(USERS_MAX);

  return (bytes, userId) => slots.run(() => readInTime(bytes, userId), userId);

  async function readInTime(bytes: Uint8Array, userId: string): Promise<PdfReading> {
    const startedMs = clock.monotonicMs();
    const recent = (spans.get(userId) ?? []).filter(({ endedAtMs }) => endedAtMs > startedMs - MINUTE_MS);
    const maxMs = recent.reduce((leftMs, { tookMs }) => leftMs - tookMs, TIME_A_MINUTE_MAX_MS);
    if (maxMs <= 0) return { trouble: 'time_used_up' };
    const reading = await readAlone(bytes, Math.min(TIME_MAX_MS, maxMs), clock);
    const tookMs = clock.monotonicMs() - startedMs;
    spans.set(userId, [...recent, { endedAtMs: startedMs + tookMs, tookMs }]);
    return 'trouble' in reading && tookMs >= maxMs ? { trouble: 'time_used_up' } : reading;
  }
}

async function readAlone(bytes: Uint8Array, maxMs: number, clock: Clock): Promise<PdfReading> {
  const told = JSON.stringify({ module: require.resolve('unpdf'), program: PROGRAM, ...LIMITS });
  const child = spawn(process.execPath, ['-e', PROGRAM, told], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const pieces: Buffer[] = [];
  let length = 0;
  let ended: PdfTrouble = 'unreadable';
  const stop = (): void => {
    ended = 'too_large';
    child.kill('SIGKILL');
  };
  const cancel = clock.after(maxMs, stop);
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
  cancel();
  return readingIn(Buffer.concat(pieces).toString()) ?? { trouble: ended };
}

function readingIn(said: string): PdfReading | undefined {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

function ignore(): void {}
