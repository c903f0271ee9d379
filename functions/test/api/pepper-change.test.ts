import { bearer, startApp } from '../support/app';
import { until } from '../support/until';

describe('changing KEY_PEPPER', () => {
  it('a key that was used under both peppers works after the old one is retired; an unused one does not', async () => {
    await using first = await startApp({ env: { KEY_PEPPER: 'one' } });
    const { store } = first.container;
    const deployed = (keyPepper: string) => startApp({ env: { KEY_PEPPER: keyPepper }, wrapStore: () => store });
    const unused = await first.newKey('alice', 'unused');
    const used = first.key;
    {
      await using both = await deployed('two,one');
      expect((await both.complete({}, used)).status).toBe(200);
      const [newest] = both.container.peppers;
      const versions = async () => (await store.listKeys('alice')).map(({ pepperVersion }) => pepperVersion);
      await until(async () => (await versions()).includes(newest?.version ?? ''));
    }
    await using retired = await deployed('two');
    expect((await retired.complete({}, used)).status).toBe(200);
    expect((await retired.get('/v1/models', bearer(unused))).status).toBe(401);
  });
});
