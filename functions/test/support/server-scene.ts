import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHttpServer, type ServerTimes } from '../../src/http/http-server';
import { createLog } from '../../src/lib/log';
import { fakeClock } from './fake-clock';
import { openSocket, ReplyReader, type SocketReply } from './raw-socket';
import { opened } from './serve';

/** How the app behind it answers. */
export type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** How long a client that was refused has to read that. */
export const LINGER_MS = 2_000;

/** A prepared server whose app answers at once, unless told otherwise, and time that stands still. */
export async function startScene({
  answer = (_, res) => void res.end('fine'),
  times = {} as Partial<ServerTimes>,
}: {
  answer?: Answer;
  times?: Partial<ServerTimes>;
} = {}) {
  const clock = fakeClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', (line) => lines.push(JSON.parse(line)));
  const app = async (...parts: Parameters<Answer>) => answer(...parts);
  const served = await opened(createHttpServer({ app, clock, log }, times));
  /** Sends bytes; the replies that come, and whether the server has closed the connection. */
  const open = async (bytes: string) => {
    const socket = await openSocket(served.port);
    const reader = new ReplyReader();
    const came = { replies: [] as SocketReply[], text: '', closed: false, ended: false, socket };
    socket.on('data', (piece) => {
      came.text += piece.toString();
      came.replies.push(...reader.read(piece));
    });
    socket.once('end', () => {
      came.ended = true;
    });
    socket.once('close', () => {
      came.closed = true;
    });
    socket.write(bytes);
    return came;
  };
  return { ...served, clock, lines, open };
}

/** A whole request. */
export const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** The body of an error. */
export const error = (message: string) => ({ error: { message, type: 'invalid_request_error' } });
