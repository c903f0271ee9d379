import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { type Clock, systemClock } from '../../src/lib/clock';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { openRow } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';

const COMMIT = '/google.firestore.v1.Firestore/Commit';
const READ = '/google.firestore.v1.Firestore/BatchGetDocuments';

/** Pauses between tries so far. */
let pauses = 0;
/** Real time, of which deadlines and pauses take half. */
const impatientClock: Clock = {
  ...systemClock,
  after: (delayMs, fire) => {
    if (delayMs < 1_000) pauses += 1;
    return systemClock.after(delayMs / 2, fire);
  },
};

/** A program that does one thing and then has nothing left to do. */
const PROGRAM: BuildOptions = {
  stdin: {
    contents: `
      import { openFirestoreStore } from './src/store/firestore/firestore-store';
      import { openRow } from './test/support/store-records';
      const end = () => console.log('ended');
      openFirestoreStore({ projectId: 'demo-wire' }).checkpoint('r', [openRow('c')]).then(end, end);
    `,
    resolveDir: join(__dirname, '../..'),
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  logLevel: 'error',
};

/** The SDK against a gRPC server that answers every call with one status: what goes over the wire, and how often. */
describe('calls of the Firestore SDK as the store sets it up', () => {
  const calls: IncomingHttpHeaders[] = [];
  let status = '';
  let message = '';
  let server: Http2Server;
  let store: Store;
  const hostBefore = process.env['FIRESTORE_EMULATOR_HOST'];
  beforeEach(async () => {
    calls.length = 0;
    message = '';
    server = createServer();
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      calls.push(headers);
      stream.resume();
      // Answered after the whole request has arrived; headers alone, with the status in them.
      stream.on('end', () => {
        const told = { 'grpc-status': status, ...(message && { 'grpc-message': message }) };
        const answer = { ':status': 200, 'content-type': 'application/grpc', ...told };
        stream.respond(answer, { endStream: true });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.env['FIRESTORE_EMULATOR_HOST'] = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    store = openFirestoreStore({ projectId: 'demo-wire', clock: impatientClock });
  });
  afterEach(async () => {
    await store.close();
    server.close();
    await once(server, 'close');
    if (hostBefore === undefined) delete process.env['FIRESTORE_EMULATOR_HOST'];
    else process.env['FIRESTORE_EMULATOR_HOST'] = hostBefore;
  });

  const times = (path: string) => calls.filter((headers) => headers[':path'] === path).length;

  it.each(['8', '10', '14'])('sends a commit once for each of our own tries after status %s', async (code) => {
    status = code;
    pauses = 0;
    await expect(store.checkpoint('r', [openRow('c')])).rejects.toMatchObject({ code: 'store_unavailable' });
    // A pause follows every try but one that the deadline finds on its way.
    expect(pauses).toBeGreaterThan(10);
    expect([0, 1]).toContain(times(COMMIT) - pauses);
  });

  it('keeps the process alive until an operation has ended, also in the pauses between its tries', async () => {
    status = '14';
    const { path, remove } = await temporaryDirectory();
    const script = join(path, 'script.js');
    await build({ ...PROGRAM, outfile: script });
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env: process.env });
    await remove();
    expect(stdout).toBe('ended\n');
  });

  it.each(['3', '7', '16'])('sends a commit once after status %s', async (code) => {
    status = code;
    await expect(store.checkpoint('r', [openRow('c')])).rejects.toMatchObject({ code: 'internal' });
    expect(times(COMMIT)).toBe(1);
  });

  it('sends a read that is refused for good once', async () => {
    status = '7';
    await expect(store.findRecord('r')).rejects.toMatchObject({ code: 'internal', cause: { code: 7 } });
    expect(times(READ)).toBe(1);
  });
});
