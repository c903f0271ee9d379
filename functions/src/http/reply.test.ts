import { once } from 'node:events';
import { fakeClock } from '../../test/support/fake-clock';
import { openResponse } from '../../test/support/serve';
import { challengeOf, linkToDocs } from './challenge';
import { type Reply, sendReply } from './reply';

describe('a reply', () => {
  it.each<[string, Reply]>([
    ['in one piece', { body: {} }],
    ['as a stream', { headers: {}, play: async () => undefined }],
  ])('%s closes the connection of a client that does not read it, after two minutes', async (_, reply) => {
    const clock = fakeClock();
    const open = await openResponse();
    open.client.pause();
    await sendReply(open.res, reply, { clock, bodyOf: () => ({}) });
    await clock.advance(120_000);
    expect(open.res.destroyed).toBe(true);
  });

  it('to a client that has left writes nothing and waits for nothing', async () => {
    const clock = fakeClock();
    const open = await openResponse();
    open.client.destroy();
    await once(open.res, 'close');
    await sendReply(open.res, { body: {} }, { clock, bodyOf: () => ({}) });
    expect([open.res.headersSent, clock.pending]).toEqual([false, 0]);
  });
});

const NOT_READ = 'the key is not read from x-api-key or api-key; send it as Authorization: Bearer KEY';

it.each([
  [{}, 'invalid_request', 'send it as Authorization: Bearer KEY'],
  [{ 'x-api-key': 'sk-ens_secret' }, 'invalid_request', NOT_READ],
  [{ 'api-key': 'sk-ens_secret' }, 'invalid_request', NOT_READ],
  [{ authorization: 'sk-ens_secret' }, 'invalid_request', 'Authorization must be Bearer KEY'],
  [{ authorization: 'Basic c2s6' }, 'invalid_request', 'Authorization must be Bearer KEY'],
  [
    { authorization: 'bearer sk-ens_secret' },
    'invalid_token',
    'the key is none of this server, or has been revoked or expired',
  ],
])(
  'the challenge of a 401 for %j says how a key is to be sent, and never repeats one',
  (headers, error, description) => {
    const realm = 'Bearer realm="Ensemble API"';
    expect(challengeOf(headers)).toBe(`${realm}, error="${error}", error_description="${description}"`);
  },
);

it.each(['/v1/models', '/v1/models/', '/v1/chat/completions'])(
  'the link to the documentation of %s leads to /docs, also where the function lies below a prefix',
  (path) => {
    const [, reference = ''] = /^<(.*)>; rel="help"$/.exec(linkToDocs(path)) ?? [];
    for (const prefix of ['https://host.test', 'https://host.test/project/region/api']) {
      expect(new URL(reference, prefix + path).href).toBe(`${prefix}/docs`);
    }
  },
);
