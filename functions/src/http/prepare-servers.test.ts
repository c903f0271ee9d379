import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { fakeClock } from '../../test/support/fake-clock';
import { createLog } from '../lib/log';
import { prepareServers } from './prepare-server';

describe('the servers of a process', () => {
  it('are prepared when they are about to listen, those of HTTP and no others', async () => {
    prepareServers({ clock: fakeClock(), log: createLog('silent') });
    const [http, tcp] = [createServer(), createTcpServer()];
    expect(http.keepAliveTimeout).not.toBe(65_000);
    for (const server of [http, tcp]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      server.close();
    }
    expect(http.keepAliveTimeout).toBe(65_000);
    expect(tcp).not.toHaveProperty('keepAliveTimeout');
  });
});
