import { openSocket, ReplyReader, type SocketReply } from '../support/raw-socket';
import type { HostileRequest } from './hostile-requests';

/** No hang, on the slowest of machines: the server itself gives up sooner on what is not sent. */
const PATIENCE_MS = 90_000;

/**
 * Pipelines a batch on one connection; throws when a reply that must come does not. Node alone closes a connection for a
 * tunnel without a word, and answers what is malformed behind an answered request once more.
 */
export async function repliesTo(
  port: number,
  batch: readonly HostileRequest[],
  isNodeAlone: boolean,
): Promise<SocketReply[]> {
  const socket = await openSocket(port);
  const reader = new ReplyReader();
  const replies: SocketReply[] = [];
  const last = batch.at(-1)?.expects;
  const owed = last === 'reply' ? batch.length : batch.length - 1;
  let isClosing = last === 'closed';
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`no answer: ${textOf(batch)}`)), PATIENCE_MS);
  const resolveWhenOver = (): void => {
    if (replies.length >= owed && !isClosing) resolve();
  };
  socket.on('data', (piece) => {
    try {
      replies.push(...reader.read(piece, (at) => batch[at]?.isHead === true));
      isClosing ||= replies.at(-1)?.headers['connection'] === 'close';
      resolveWhenOver();
    } catch (error) {
      reject(error);
    }
  });
  socket.once('close', () => resolve());
  socket.write(Buffer.concat(batch.map(({ bytes }) => bytes)), resolveWhenOver);
  await over.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
  const isEnough = replies.length >= (isClosing ? (isNodeAlone ? 0 : 1) : owed);
  const most = batch.reduce((sum, { messages = 1 }) => sum + messages, isNodeAlone ? 1 : 0);
  if (!isEnough || replies.length > most) throw new Error(`${replies.length} answers: ${textOf(batch)}`);
  return replies;
}

function textOf(batch: readonly HostileRequest[]): string {
  return JSON.stringify(batch.map(({ bytes, expects }) => [expects, bytes.toString('latin1').slice(0, 400)]));
}
