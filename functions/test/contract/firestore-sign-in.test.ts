import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Firestore } from '@google-cloud/firestore';
import { LOCALHOST } from '../support/localhost-certificate';
import { temporaryDirectory } from '../support/temporary-directory';

/*
 * How Firestore's client signs in where it is deployed, over TLS and with a token of the metadata server: emulators ask for
 * neither.
 */

const PERMISSION_DENIED = 7;

describe('Firestore’s client on Google Cloud', () => {
  const asked: { path: string; authorization: string | undefined }[] = [];
  let metadata: Server;
  let database: Http2SecureServer;
  let db: Firestore;
  let remove: () => Promise<void>;
  const before = { ...process.env };

  beforeAll(async () => {
    metadata = createServer(answerMetadata).listen(0, '127.0.0.1');
    database = createSecureServer(LOCALHOST).listen(0, 'localhost');
    database.on('stream', (stream, headers) => {
      asked.push({ path: String(headers[':path']), authorization: headers.authorization });
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(PERMISSION_DENIED) }));
      stream.end();
    });
    await Promise.all([once(metadata, 'listening'), once(database, 'listening')]);
    const directory = await temporaryDirectory();
    remove = directory.remove;
    const roots = join(directory.path, 'roots.pem');
    writeFileSync(roots, LOCALHOST.cert);
    for (const name of ['FIRESTORE_EMULATOR_HOST', 'GOOGLE_APPLICATION_CREDENTIALS']) delete process.env[name];
    Object.assign(process.env, {
      ...{ GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: roots, GCE_METADATA_HOST: `127.0.0.1:${portOf(metadata)}` },
      // Where a developer's own credentials would be.
      ...{ HOME: directory.path, CLOUDSDK_CONFIG: directory.path },
    });
    // Both variables are read as it is loaded: the file of a deployment, as jest has no `import()` within packages.
    const sdk = require(join(__dirname, '../../lib/sdk-firestore.js')) as typeof import('@google-cloud/firestore');
    db = new sdk.Firestore({
      ...{ projectId: 'project', host: `localhost:${portOf(database)}` },
      clientOptions: { universeDomain: 'googleapis.com' },
    });
  });
  afterAll(async () => {
    await db.terminate();
    for (const server of [metadata, database]) {
      server.close();
      await once(server, 'close');
    }
    process.env = before;
    await remove();
  });

  it('asks with a token of the metadata server, and tells what Firestore refuses', async () => {
    await expect(db.runTransaction((transaction) => transaction.getAll(db.doc('keys/a')))).rejects.toMatchObject({
      code: PERMISSION_DENIED,
    });
    expect(asked[0]).toEqual({
      path: expect.stringMatching(/^\/google\.firestore\.v1\.Firestore\/\w+$/),
      authorization: 'Bearer token-of-the-instance',
    });
  });
});

function answerMetadata(request: IncomingMessage, response: ServerResponse): void {
  const token = { access_token: 'token-of-the-instance', expires_in: 3_600, token_type: 'Bearer' };
  response.setHeader('metadata-flavor', 'Google').setHeader('content-type', 'application/json');
  response.end(JSON.stringify(request.url?.includes('/token') ? token : {}));
}

function portOf(server: Server | Http2SecureServer): number {
  return (server.address() as AddressInfo).port;
}
