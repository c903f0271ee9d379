import { answerOf, fakeModel } from './fake-models.mjs';
import { ask, atOnce, chat, parseStream } from './load.mjs';
import { monotonicMs } from './monotonic.mjs';
import { treeOf } from './process-tree.mjs';
import { median } from './stats.mjs';

/**
 * Streams `count` answers of one fake model, `width` at once. Returns the wall time, the CPU time and the peak memory of
 * the tree of process `pid`, and the median time to the first content. Throws when a single chunk is missing, doubled or
 * out of place, or a stream lacks its `[DONE]`; chunks that come joined are allowed where `isJoined`.
 */
export async function checkedStreams(to, model, { count, width, pid, isJoined = false }) {
  const tree = treeOf(pid);
  tree.forgetPeak();
  const cpuBeforeMs = tree.cpuMs();
  const startedMs = monotonicMs();
  const replies = await atOnce(count, width, () => ask(to, chat(model, { stream: true })));
  const wallMs = monotonicMs() - startedMs;
  const used = { cpuMs: tree.cpuMs() - cpuBeforeMs, peakMib: tree.peakMib() };
  // Looked at only now: it would take CPU from the processes that are measured.
  const { chunks } = fakeModel(model);
  const flaws = replies.map(({ text }) => flawOf(parseStream(text), chunks, isJoined));
  const broken = flaws.filter((flaw) => flaw !== undefined);
  if (broken.length > 0) throw new Error(`${broken.length} of ${count} streams broken, e.g. ${broken[0]}`);
  return { wallMs, ...used, firstContentMs: median(replies.map((one) => one.firstContentMs - one.sentMs)) };
}

function flawOf({ content, contentChunks, done, error }, chunks, isJoined) {
  if (error !== undefined) return `error chunk: ${JSON.stringify(error)}`;
  if (!done) return 'no [DONE] at the end';
  if (!isJoined && contentChunks !== chunks) return `${contentChunks} content chunks instead of ${chunks}`;
  return content === answerOf(chunks) ? undefined : 'the content is not what the upstream wrote';
}
