import { answerOf, fakeModel } from '../fake-models.mjs';
import { ask, atOnce, chat, parseStream } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';

/**
 * Streams `count` answers of one fake model at once, each with a text of its own. Resolves with the wall time and, for
 * each stream, the time to its first content. Throws when a byte of one is missing, doubled, out of place or of another.
 */
export async function taggedStreams(to, model, { count, newTag }) {
  const tags = Array.from({ length: count }, newTag);
  const startedMs = monotonicMs();
  const replies = await atOnce(count, count, (index) => ask(to, chat(model, { stream: true, tag: tags[index] })));
  const wallMs = monotonicMs() - startedMs;
  const flaws = replies.map(({ text }, index) => flawOf(text, model, tags[index])).filter((flaw) => flaw !== undefined);
  if (flaws.length > 0) throw new Error(`${flaws.length} of ${count} streams broken, e.g. ${flaws[0]}`);
  return { wallMs, firstContentMs: replies.map((reply) => reply.firstContentMs - reply.sentMs) };
}

/** What is wrong with the text of a stream; undefined where every byte is as its upstream wrote it. */
export function flawOf(text, model, tag) {
  const { content, done, error } = parseStream(text);
  if (error !== undefined) return `error chunk: ${JSON.stringify(error)}`;
  if (!done) return 'no [DONE] at the end';
  const { chunks, isBrief } = fakeModel(model);
  const written = answerOf(chunks, { tag, isBrief });
  if (content === written) return undefined;
  const at = written.split('').findIndex((character, index) => character !== content[index]);
  return `the content of ${tag} is not what the upstream wrote, from character ${at} on`;
}
