import { routerModel, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `RouterModelStore`. */
export function routerModelContract(current: CurrentStore): void {
  const slugs = async (userId = 'ada') => (await current().listRouterModels(userId)).map(({ slug }) => slug);

  it('keeps models as they were added, in the order added and then by slug', async () => {
    const first = [
      routerModel('z/late'),
      routerModel('a/b.c-d_e:free', { vision: 'unknown', tools: 'unknown', contextTokens: null }),
    ];
    const second = [routerModel('b/second', { addedAtMs: T0 + 1, tools: true })];
    expect(await current().addRouterModels('ada', first, { max: 100 })).toBe(true);
    expect(await current().addRouterModels('ada', second, { max: 100 })).toBe(true);
    expect(await current().listRouterModels('ada')).toEqual([first[1], first[0], second[0]]);
    expect(await slugs('bob')).toEqual([]);
  });

  it('takes one that is there already for an update that keeps its place', async () => {
    await current().addRouterModels('ada', [routerModel('a/one'), routerModel('a/two', { addedAtMs: T0 + 1 })], {
      max: 2,
    });
    const newer = routerModel('a/one', { name: 'New name', vision: false, tools: true, addedAtMs: T0 + 5 });
    expect(await current().addRouterModels('ada', [newer, newer], { max: 2 })).toBe(true);
    expect(await current().listRouterModels('ada')).toEqual([
      { ...newer, addedAtMs: T0 },
      routerModel('a/two', { addedAtMs: T0 + 1 }),
    ]);
  });

  it('adds none of them when they would be too many', async () => {
    await current().addRouterModels('ada', [routerModel('a/one'), routerModel('a/two')], { max: 3 });
    const more = [routerModel('a/one', { name: 'changed' }), routerModel('a/three'), routerModel('a/four')];
    expect(await current().addRouterModels('ada', more, { max: 3 })).toBe(false);
    expect(await current().listRouterModels('ada')).toEqual([routerModel('a/one'), routerModel('a/two')]);
    expect(await current().addRouterModels('ada', more.slice(0, 2), { max: 3 })).toBe(true);
  });

  it('never has more than allowed when many are added at once', async () => {
    const many = Array.from({ length: 12 }, (_, index) => routerModel(`a/m${index}`));
    const words = await Promise.all(many.map((model) => current().addRouterModels('ada', [model], { max: 5 })));
    expect(words.filter(Boolean)).toHaveLength(5);
    expect(await slugs()).toHaveLength(5);
  });

  it('removes a model once, and makes room', async () => {
    await current().addRouterModels('ada', [routerModel('a/one'), routerModel('a/two')], { max: 2 });
    expect(await current().removeRouterModel('ada', 'a/one')).toBe(true);
    expect(await current().removeRouterModel('ada', 'a/one')).toBe(false);
    expect(await current().removeRouterModel('bob', 'a/two')).toBe(false);
    expect(await current().addRouterModels('ada', [routerModel('a/three')], { max: 2 })).toBe(true);
    expect(await slugs()).toEqual(['a/three', 'a/two']);
  });
}
