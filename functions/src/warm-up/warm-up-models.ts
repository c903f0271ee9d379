import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openLoopback } from './loopback';

/** What the models of a warm-up are called. */
export const WARM_UP_MODELS = {
  short: 'warm-up',
  long: 'warm-up-long',
  panel: ['warm-up-a', 'warm-up-b', 'warm-up-c'],
};

const LONG_REPLY_PIECES = 100;

/**
 * Opens a server on this machine that answers everything with a few words, by OpenAI's protocol, to be closed with `ends`;
 * resolves with its port.
 */
export function openWarmUpModels(ends: AsyncDisposableStack): Promise<number> {
  const server = createServer((req, res) => {
    // A connection that is cut in the middle, as at the end of the process.
    answer(req, res).catch(() => res.destroy());
  });
  return openLoopback(server, ends);
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { model } = (await json(req)) as { model: string };
  const pieces = model === WARM_UP_MODELS.long ? LONG_REPLY_PIECES : 1;
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', model, ...rest })}\n\n`;
  const textOf = (content: string) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let index = 0; index < pieces; index += 1) {
    res.write(textOf('word '));
    // As providers do: a piece each.
    if (pieces > 1) await nextTurn();
  }
  res.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  const usage = { prompt_tokens: 5, completion_tokens: pieces, total_tokens: 5 + pieces };
  res.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
}
