import { ask, chat } from '../load.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { median } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';

const PAIRS = 25;

/** How soon the first content chunk is passed on, counted from the upstream's writing it and from the request. */
export async function firstChunk({ direct, ours, upstream, newTag }) {
  const results = await rounds(4, 8_000, async () => {
    const replies = { direct: [], ours: [] };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const both = await bothWays(
        pair,
        () => streamed(direct, newTag()),
        () => streamed(ours, newTag()),
      );
      replies.direct.push(both.direct);
      replies.ours.push(both.ours);
    }
    const written = new Map((await upstream.records()).map(({ tag, firstContentMs }) => [tag, firstContentMs]));
    return { direct: waits(replies.direct, written), ours: waits(replies.ours, written) };
  });
  const middle = (of) => ({
    was: median(results.map(({ direct }) => of(direct))),
    is: median(results.map(({ ours }) => of(ours))),
  });
  const afterUpstream = middle(({ sinceWritten }) => sinceWritten);
  const afterRequest = middle(({ sinceSent }) => sinceSent);
  return [
    {
      measure: "first content chunk after the upstream's: median",
      direct: figure(afterUpstream.was, 'ms'),
      ours: figure(afterUpstream.is, 'ms'),
      change: added(afterUpstream.was, afterUpstream.is, 'ms'),
      ...atMost(5, afterUpstream.is, 'ms'),
    },
    {
      measure: 'first content chunk after the request (20 ms of it the model): median',
      direct: figure(afterRequest.was, 'ms'),
      ours: figure(afterRequest.is, 'ms'),
      change: added(afterRequest.was, afterRequest.is, 'ms'),
    },
  ];
}

async function streamed(to, tag) {
  const { sentMs, firstContentMs } = await ask(to, chat('fake-20ms', { tag, stream: true }));
  return { tag, sentMs, firstContentMs };
}

function waits(replies, written) {
  return {
    sinceWritten: median(replies.map(({ tag, firstContentMs }) => firstContentMs - written.get(tag))),
    sinceSent: median(replies.map(({ sentMs, firstContentMs }) => firstContentMs - sentMs)),
  };
}
