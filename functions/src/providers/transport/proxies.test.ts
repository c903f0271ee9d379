import { proxiesOf } from './proxies';

const PROXY = 'http://proxy.example:3128/';
const HERE = 'http://127.0.0.1:3128/';

describe('the proxies of an environment', () => {
  it.each([
    ['none', {}, {}],
    ['empty ones', { HTTPS_PROXY: ' ', http_proxy: '' }, {}],
    ['in capitals', { HTTPS_PROXY: PROXY, NO_PROXY: 'a' }, { https_proxy: PROXY, no_proxy: 'a' }],
    ['in small letters', { https_proxy: PROXY, no_proxy: 'a' }, { https_proxy: PROXY, no_proxy: 'a' }],
    ['in both, of which the small letters count', { https_proxy: PROXY, HTTPS_PROXY: HERE }, { https_proxy: PROXY }],
    ['one for all', { ALL_PROXY: HERE }, { https_proxy: HERE, http_proxy: HERE }],
    [
      'another for all than for TLS',
      { all_proxy: 'socks5://h', https_proxy: PROXY, HTTP_PROXY: HERE },
      { https_proxy: PROXY, http_proxy: HERE },
    ],
    ['without a scheme, as curl takes it', { HTTPS_PROXY: 'proxy.example:3128' }, { https_proxy: PROXY }],
    [
      'with a name and a password',
      { HTTPS_PROXY: 'https://me:p%40ss@proxy.example' },
      { https_proxy: 'https://me:p%40ss@proxy.example/' },
    ],
    ['for plain http elsewhere, which must not leave this machine', { HTTP_PROXY: PROXY }, {}],
    ['for plain http on this machine', { HTTP_PROXY: 'localhost:8080' }, { http_proxy: 'http://localhost:8080/' }],
  ])('%s', (_, env, proxies) => expect(proxiesOf(env)).toEqual(proxies));

  it.each([
    ['https_proxy', 'socks5://me:secret@proxy.example:1080'],
    ['HTTPS_PROXY', 'http://me:secret%zz@proxy.example'],
    ['HTTP_PROXY', 'http://me:secret@'],
    ['ALL_PROXY', 'http://me:secret@proxy.example:port'],
  ])('%s that cannot be used is refused without a word of it: %s', (name, value) => {
    expect(() => proxiesOf({ [name]: value })).toThrow(
      new Error(`${name} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128`),
    );
  });
});
