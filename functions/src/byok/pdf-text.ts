import { Worker } from 'node:worker_threads';
import { FairSlots } from '../lib/fair-slots';

/** Why a PDF gave no text. */
export type PdfTrouble = 'unreadable' | 'locked' | 'too_large' | 'busy';

/** The text of a PDF, pages parted by blank lines; empty when it has none, as a scan. */
export type PdfReading = { readonly text: string } | { readonly trouble: PdfTrouble };

/** Reads the text of a PDF. Never throws. */
export type PdfReader = (bytes: Uint8Array) => Promise<PdfReading>;

const TIME_MAX_MS = 8_000;
const HEAP_MAX_MIB = 160;
const BUFFERS_MAX_BYTES = 96 * 1024 * 1024;
const WEIGH_EVERY_MS = 20;
const PAGES_MAX = 2_000;
/** More is of no use, and a small file can hold a lot of it. */
const CHARACTERS_MAX = 1_000_000;
/** Files waiting for their turn at most. */
const WAITING_MAX = 16;

/**
 * `unpdf` (PDF.js) in a thread of its own: parsing takes whole seconds for an honest file and as long as it likes for
 * one that was made to, in which time no other request of this process would move. The thread is ended at its limits of
 * time and memory. It is source text since a bundle has no second file to start.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
(async () => {
  try {
    const { getDocumentProxy } = require(workerData.module);
    const pdf = await getDocumentProxy(workerData.bytes, { verbosity: 0, useSystemFonts: false });
    const pages = [];
    let left = workerData.charactersMax;
    for (let number = 1; number <= Math.min(pdf.numPages, workerData.pagesMax) && left > 0; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.map((item) => (item.str ?? '') + (item.hasEOL ? '\\n' : '')).join('').trim());
      left -= pages.at(-1).length;
      page.cleanup();
    }
    parentPort.postMessage({ text: pages.filter((text) => text !== '').join('\\n\\n').toWellFormed() });
  } catch (error) {
    parentPort.postMessage({ trouble: error?.name === 'PasswordException' ? 'locked' : 'unreadable' });
  }
})();
`;

const oneAtATime = new FairSlots(1);
let waiting = 0;

/** Reads a PDF within limits of time and memory, one at a time in this process. */
export const readPdf: PdfReader = async (bytes) => {
  if (waiting >= WAITING_MAX) return { trouble: 'busy' };
  waiting += 1;
  try {
    return await oneAtATime.run(() => readAlone(bytes));
  } finally {
    waiting -= 1;
  }
};

async function readAlone(bytes: Uint8Array): Promise<PdfReading> {
  const { promise, resolve } = Promise.withResolvers<PdfReading>();
  const limits = { pagesMax: PAGES_MAX, charactersMax: CHARACTERS_MAX };
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: { bytes: Uint8Array.from(bytes), module: require.resolve('unpdf'), ...limits },
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MIB, maxYoungGenerationSizeMb: 32 },
  });
  const timer = setTimeout(() => resolve({ trouble: 'too_large' }), TIME_MAX_MS);
  // The limit on the heap does not know of buffers, into which a small file may inflate without end.
  const scale = setInterval(() => {
    worker.getHeapStatistics().then(({ external_memory }) => {
      if (external_memory > BUFFERS_MAX_BYTES) resolve({ trouble: 'too_large' });
    }, ignore);
  }, WEIGH_EVERY_MS);
  worker.once('message', resolve);
  worker.once('error', () => resolve({ trouble: 'too_large' }));
  worker.once('exit', () => resolve({ trouble: 'unreadable' }));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(scale);
    worker.terminate().catch(ignore);
  }
}

/** A thread that has ended cannot be asked or ended again, and need not be. */
function ignore(): void {}
