import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { chat } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { median } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';

const PAIRS = 20;
/** The streams would go on for 2.8 s; a connection still open after this was not aborted. */
const PATIENCE_MS = 1_000;

/** How soon the upstream's connection is closed once a client has left in the middle of a stream. */
export async function disconnect({ direct, ours, upstream, newTag }) {
  const left = { direct: [], ours: [] };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    left.direct.push(await leave(direct, newTag()));
    left.ours.push(await leave(ours, newTag()));
  }
  await pause(PATIENCE_MS);
  const closed = new Map((await upstream.records()).map(({ tag, closedMs }) => [tag, closedMs]));
  const waits = (kind) =>
    left[kind].map(({ tag, leftMs }) => {
      const closedMs = closed.get(tag);
      if (typeof closedMs !== 'number') throw new Error('an upstream call went on after its client had left');
      return closedMs - leftMs;
    });
  const [was, is] = [median(waits('direct')), median(waits('ours'))];
  return [
    {
      measure: 'client gone → upstream connection closed: median',
      direct: figure(was, 'ms'),
      ours: figure(is, 'ms'),
      change: added(was, is, 'ms'),
      ...atMost(250, is, 'ms'),
    },
    {
      measure: '  … slowest of 20',
      direct: figure(Math.max(...waits('direct')), 'ms'),
      ours: figure(Math.max(...waits('ours')), 'ms'),
    },
  ];
}

/** Leaves a stream at its first content. */
function leave(to, tag) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: to.authorization(), 'content-type': 'application/json' };
    const req = request(to.url, { method: 'POST', headers });
    let leftMs;
    req.on('response', (res) => {
      res.setEncoding('utf8').on('data', (text) => {
        if (leftMs !== undefined || !text.includes('"content":"w0')) return;
        leftMs = monotonicMs();
        req.destroy();
        resolve({ tag, leftMs });
      });
      res.on('error', () => undefined);
    });
    req.on('error', (error) => (leftMs === undefined ? reject(error) : undefined));
    req.end(JSON.stringify(chat('fake-stream-200', { tag, stream: true })));
  });
}
