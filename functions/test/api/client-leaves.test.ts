import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Store } from '../../src/store/store';
import { type App, CHAT, CHAT_PATH, startApp } from '../support/app';
import { until } from '../support/until';

/** Clients that leave while their key is looked up: before, while and after they have sent their body. */

const BODY = JSON.stringify(CHAT);
const PART = BODY.slice(0, 20);
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const BODIES = [
  { rule: 'without a body', framing: 'content-length: 0', body: '' },
  { rule: 'before any of its body', framing: `content-length: ${BODY.length}`, body: '' },
  { rule: 'in the middle of its body', framing: `content-length: ${BODY.length}`, body: PART },
  { rule: 'with its body sent', framing: `content-length: ${BODY.length}`, body: BODY },
  { rule: 'before any of its chunks', framing: 'transfer-encoding: chunked', body: '' },
  { rule: 'in the middle of its chunks', framing: 'transfer-encoding: chunked', body: chunk(PART) },
  { rule: 'with all of its chunks sent', framing: 'transfer-encoding: chunked', body: `${chunk(BODY)}0\r\n\r\n` },
];

const LEAVE = [
  { how: 'is closed', leave: (socket: Socket) => socket.destroy() },
  { how: 'is reset', leave: (socket: Socket) => socket.resetAndDestroy() },
  { how: 'is half closed', leave: (socket: Socket) => socket.end() },
];

describe('a client that leaves while its key is looked up', () => {
  let app: App;
  let lookUps: { readonly end: () => void }[];

  beforeAll(async () => {
    const wrapStore = (store: Store): Store => ({
      ...store,
      readAccess: async (hashes) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        lookUps.push({ end: resolve });
        await promise;
        return store.readAccess(hashes);
      },
    });
    app = await startApp({ wrapStore });
  });
  beforeEach(() => {
    lookUps = [];
    app.logLines.length = 0;
  });
  afterAll(() => app.close());

  /** The connection as the server has it, and the same as the client does. */
  async function send(text: string): Promise<{ client: Socket; closed: Promise<unknown> }> {
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const client = connect(Number(new URL(app.baseUrl).port), '127.0.0.1');
    client.on('error', () => undefined).resume();
    const [server] = await accepted;
    const closed = new Promise((resolve) => server.once('close', resolve));
    client.write(`POST ${CHAT_PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${app.key}\r\n${text}`);
    return { client, closed };
  }

  it.each(BODIES.flatMap((row) => LEAVE.map((way) => ({ ...row, ...way }))))(
    'is given up, $rule, when its connection $how',
    async ({ framing, body, leave }) => {
      const { client, closed } = await send(`${framing}\r\n\r\n${body}`);
      await until(() => lookUps.length === 1);
      leave(client);
      await closed;
      lookUps[0]?.end();
      await until(() => app.logLines.length > 0);
      // Nothing was begun for it, so that nothing but its own line is logged.
      expect(app.logLines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ message: 'request', status: 499, path: CHAT_PATH }),
      ]);
      expect(app.models.calls).toEqual([]);
    },
  );
});
