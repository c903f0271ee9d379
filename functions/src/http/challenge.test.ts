import { challengeOf, linkToDocs } from './reply';

const REALM = 'Bearer realm="Ensemble API"';

describe('the challenge of a 401', () => {
  it.each([
    ['nothing', {}, 'invalid_request', 'send it as Authorization: Bearer KEY'],
    [
      'x-api-key',
      { 'x-api-key': 'sk-ens_secret' },
      'invalid_request',
      'the key is not read from x-api-key or api-key; send it as Authorization: Bearer KEY',
    ],
    [
      'api-key, as Azure clients send',
      { 'api-key': 'sk-ens_secret' },
      'invalid_request',
      'the key is not read from x-api-key or api-key; send it as Authorization: Bearer KEY',
    ],
    ['a bare key', { authorization: 'sk-ens_secret' }, 'invalid_request', 'Authorization must be Bearer KEY'],
    ['Basic', { authorization: 'Basic c2s6' }, 'invalid_request', 'Authorization must be Bearer KEY'],
    [
      'a key that is none',
      { authorization: 'bearer sk-ens_secret' },
      'invalid_token',
      'the key is none of this server, or has been revoked or expired',
    ],
  ])('of %s says how a key is to be sent, and never repeats one', (_, headers, error, description) => {
    expect(challengeOf(headers)).toBe(`${REALM}, error="${error}", error_description="${description}"`);
  });
});

describe('the link to the documentation', () => {
  it.each([
    ['/v1/models', 'https://host.test/docs'],
    ['/v1/models/', 'https://host.test/docs'],
    ['/v1/chat/completions', 'https://host.test/docs'],
    ['/v1/models/demo-ada', 'https://host.test/docs'],
  ])('of %s leads to /docs, also where the function lies below a prefix', (path, expected) => {
    const [, reference = ''] = /^<(.*)>; rel="help"$/.exec(linkToDocs(path)) ?? [];
    expect(new URL(reference, `https://host.test${path}`).href).toBe(expected);
    expect(new URL(reference, `https://host.test/project/region/api${path}`).href).toBe(
      'https://host.test/project/region/api/docs',
    );
  });
});
