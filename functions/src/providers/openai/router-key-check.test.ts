import { during } from '../../../test/support/during';
import { type FakeClock, fakeClock } from '../../../test/support/fake-clock';
import {
  type Reply,
  refusedUrl,
  sendStatus,
  startFakeUpstream,
  underControl,
} from '../../../test/support/fake-upstream';
import { routerKeyCheck } from './router-key-check';

const KEY = 'my-canary-key-0123456789';
const NONE = sendStatus(404, { error: { message: 'Not Found' } });

describe('a key of the router', () => {
  const router = during('each', startFakeUpstream);
  let clock: FakeClock;
  beforeEach(() => {
    clock = fakeClock();
  });

  const check = () => routerKeyCheck(`${router.url}/api/v1`, clock)(KEY);

  it.each<[rule: string, replies: readonly Reply[], verdict: object, paths: readonly string[]]>([
    ['is taken', [sendStatus(200, { data: { label: 'x' } })], {}, ['/api/v1/key']],
    [
      'is taken where a router tells by its list',
      [NONE, sendStatus(200, { data: [] })],
      {},
      ['/api/v1/key', '/api/v1/models'],
    ],
    [
      'is refused, with the router’s word',
      [sendStatus(401, { error: { message: 'User not found.', code: 401 } })],
      { refused: 'User not found' },
      ['/api/v1/key'],
    ],
    [
      'is refused by the list, and the key that the words repeat is left out',
      [NONE, sendStatus(403, { error: { message: `Key ${KEY} is\nunknown` } })],
      { refused: 'Key … is\\u000aunknown' },
      ['/api/v1/key', '/api/v1/models'],
    ],
    [
      'is refused without a word',
      [sendStatus(401, '<html>no</html>')],
      { refused: 'it says no more' },
      ['/api/v1/key'],
    ],
    [
      'is refused in a word that is cut',
      [sendStatus(401, { error: { message: 'x'.repeat(9_000) } })],
      { refused: 'x'.repeat(200) },
      ['/api/v1/key'],
    ],
    [
      'is not known while the router fails',
      [sendStatus(503, 'down')],
      { unchecked: 'it answers with status 503' },
      ['/api/v1/key'],
    ],
    [
      'is not known while it takes no more',
      [sendStatus(429, '')],
      { unchecked: 'it answers with status 429' },
      ['/api/v1/key'],
    ],
    [
      'is not known where the reply breaks off',
      [(exchange) => exchange.cut()],
      { unchecked: 'it cannot be reached' },
      ['/api/v1/key'],
    ],
  ])('%s', async (_, replies, verdict, paths) => {
    router.willReply(...replies);
    expect(await check()).toEqual(verdict);
    expect(router.requests.map(({ path }) => path)).toEqual(paths);
    for (const { headers } of router.requests) expect(headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('is not known where nothing listens, or no answer comes in five seconds', async () => {
    expect(await routerKeyCheck(await refusedUrl(), clock)(KEY)).toEqual({ unchecked: 'it cannot be reached' });
    const silent = underControl();
    router.willReply(silent.reply);
    const checking = check();
    await silent.exchange;
    await clock.advance(5_000);
    expect(await checking).toEqual({ unchecked: 'it did not answer in time' });
  });
});
