import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { event } from '../support/fake-upstream';

/** The models of the memory proof: what they do is in their names. None keeps what it is sent. */
export const HUNGRY_MODELS = {
  answers: 'answers-0',
  waits: 'waits-1500',
  writesMiB: 'writes-1',
  writesTenMiB: 'writes-10',
} as const;

const PIECE = 'Tomatoes are fruits. '.repeat(3_000);
const MIB = 1024 * 1024;

export type HungryUpstream = Awaited<ReturnType<typeof startHungryUpstream>>;

export async function startHungryUpstream() {
  const server = createServer((request, response) => void play(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function play(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let head = '';
  for await (const chunk of request) if (head === '') head = (chunk as Buffer).toString('latin1');
  const [, deed, amount = '0'] = /"model":"(\w+)-(\d+)"/.exec(head) ?? [];
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  const say = (content: string): boolean => response.write(event({ choices: [{ index: 0, delta: { content } }] }));
  if (deed === 'waits') await pause(Number(amount));
  const characters = deed === 'writes' ? Number(amount) * MIB : 0;
  for (let said = 0; said < characters && !response.destroyed; said += PIECE.length) {
    if (!say(PIECE)) await drained(response);
  }
  if (characters === 0) say('Tomatoes are fruits.');
  response.end(`${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
