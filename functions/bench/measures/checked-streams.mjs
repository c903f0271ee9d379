import { answerOf, fakeModel } from '../fake-models.mjs';
import { ask, atOnce, chat, parseStream } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { cpuMs } from '../process-figures.mjs';

/**
 * Streams `count` answers of one fake model, `width` at once. Returns the wall time and the CPU ms of process `pid`.
 * Throws when a single chunk is missing, doubled or out of place, or a stream lacks its `[DONE]`.
 */
export async function checkedStreams(to, model, { count, width, pid }) {
  const cpuBefore = cpuMs(pid);
  const startedMs = monotonicMs();
  const replies = await atOnce(count, width, () => ask(to, chat(model, { stream: true })));
  const wallMs = monotonicMs() - startedMs;
  const usedMs = cpuMs(pid) - cpuBefore;
  // Looked at only now: it would take CPU from the processes that are measured.
  const { chunks } = fakeModel(model);
  const broken = replies.map(({ text }) => flawOf(parseStream(text), chunks)).filter((flaw) => flaw !== undefined);
  if (broken.length > 0) throw new Error(`${broken.length} of ${count} streams broken, e.g. ${broken[0]}`);
  return { wallMs, cpuMs: usedMs };
}

function flawOf({ content, contentChunks, done, error }, chunks) {
  if (error !== undefined) return `error chunk: ${JSON.stringify(error)}`;
  if (!done) return 'no [DONE] at the end';
  if (contentChunks !== chunks) return `${contentChunks} content chunks instead of ${chunks}`;
  return content === answerOf(chunks) ? undefined : 'the content is not what the upstream wrote';
}
