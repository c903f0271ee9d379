import { routerKeyRecord } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `RouterKeyStore`. */
export function routerKeyContract(current: CurrentStore): void {
  it('keeps a key as it was sealed, for its user alone', async () => {
    const record = routerKeyRecord('one1');
    await current().putRouterKey(record);
    expect(await current().findRouterKey('ada')).toEqual(record);
    expect(await current().findRouterKey('bob')).toBeUndefined();
  });

  it('seals the stored key anew, and changes nothing when another was saved meanwhile', async () => {
    const [old, fresh, other] = [routerKeyRecord('one1'), routerKeyRecord('one1+'), routerKeyRecord('two2')];
    await current().putRouterKey(old);
    expect(await current().resealRouterKey('ada', old.enc, fresh.enc)).toBe(true);
    expect(await current().findRouterKey('ada')).toEqual({ ...old, enc: fresh.enc });
    await current().putRouterKey(other);
    expect(await current().resealRouterKey('ada', fresh.enc, old.enc)).toBe(false);
    expect(await current().findRouterKey('ada')).toEqual(other);
  });

  it('deletes a key once', async () => {
    await current().putRouterKey(routerKeyRecord('one1'));
    await current().putRouterKey(routerKeyRecord('bob1', { userId: 'bob' }));
    expect(await current().deleteRouterKey('ada')).toBe(true);
    expect(await current().deleteRouterKey('ada')).toBe(false);
    expect(await current().findRouterKey('ada')).toBeUndefined();
    expect((await current().findRouterKey('bob'))?.last4).toBe('bob1');
  });
}
