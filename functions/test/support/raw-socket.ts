import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One reply as it came over a socket. */
export interface SocketReply {
  readonly status: number;
  /** Keyed by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Opens a connection to a port of this machine; errors only close it. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All replies that come before the server closes the connection, to bytes that no client would send. */
export async function repliesUntilClosed(port: number, bytes: string | Buffer): Promise<SocketReply[]> {
  const socket = await openSocket(port);
  const reader = new ReplyReader();
  const replies: SocketReply[] = [];
  socket.on('data', (piece) => replies.push(...reader.read(piece)));
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return replies;
}

/** The first reply, on a connection that may stay open. */
export async function firstReply(port: number, bytes: string | Buffer): Promise<SocketReply> {
  const socket = await openSocket(port);
  const reader = new ReplyReader();
  return new Promise((resolve, reject) => {
    socket.on('data', (piece) => {
      const [reply] = reader.read(piece);
      if (!reply) return;
      resolve(reply);
      socket.destroy();
    });
    socket.once('close', () => reject(new Error('closed without a reply')));
    socket.write(bytes);
  });
}

const HEAD_END = '\r\n\r\n';
const CHUNKS_END = '0\r\n\r\n';

/** Cuts what comes over a connection into replies; interim ones (1xx) are left out. */
export class ReplyReader {
  #pending = Buffer.alloc(0);
  #count = 0;

  /** The replies that are complete with this piece. `isHead` says of the how many-th request that its reply has no body. */
  read(piece: Buffer, isHead: (at: number) => boolean = () => false): SocketReply[] {
    this.#pending = Buffer.concat([this.#pending, piece]);
    const replies: SocketReply[] = [];
    for (;;) {
      const headEnd = this.#pending.indexOf(HEAD_END);
      if (headEnd < 0) return replies;
      const [first = '', ...lines] = this.#pending.toString('latin1', 0, headEnd).split('\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
      if (Number.isNaN(status)) throw new Error(`no reply: ${first}`);
      const headers = Object.fromEntries(lines.map(headerOf));
      const start = headEnd + HEAD_END.length;
      const end = status < 200 ? start : this.#endOfBody(start, headers, isHead(this.#count));
      if (end === undefined) return replies;
      if (status >= 200) {
        replies.push({ status, headers, body: this.#pending.toString('utf8', start, end) });
        this.#count += 1;
      }
      this.#pending = this.#pending.subarray(end);
    }
  }

  #endOfBody(start: number, headers: Readonly<Record<string, string>>, isHead: boolean): number | undefined {
    if (isHead) return start;
    if (headers['transfer-encoding'] === 'chunked') {
      const end = this.#pending.indexOf(CHUNKS_END, start);
      return end < 0 ? undefined : end + CHUNKS_END.length;
    }
    const end = start + Number(headers['content-length'] ?? 0);
    return end <= this.#pending.length ? end : undefined;
  }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
