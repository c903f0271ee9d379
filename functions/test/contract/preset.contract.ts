import type { Preset } from '../../src/runs/preset-store';
import type { CurrentStore } from './store.contract';

/** `PresetStore`. */
export function presetContract(current: CurrentStore): void {
  const preset = (name: string, setUp: Preset['setUp'] = {}) => ({ name, setUp });
  const add = (name: string) => current().changePresets('ada', (all) => [...all, preset(name)]);

  it('keeps presets as they are given, for their user alone', async () => {
    const presets = [preset('a.b/c `__x__`', { 'a.b': 'ü', __x__: [null, [1]] }), preset('Ü')];
    expect(await current().listPresets('ada')).toEqual([]);
    expect(await current().changePresets('ada', () => presets)).toEqual(presets);
    expect(await current().listPresets('ada')).toEqual(presets);
    expect(await current().listPresets('bob')).toEqual([]);
    await current().changePresets('ada', () => []);
    expect(await current().listPresets('ada')).toEqual([]);
  });

  it('loses none when many are added at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map(add));
    const kept = await current().listPresets('ada');
    expect(kept.map(({ name }) => name).sort()).toEqual(names);
  });

  it('changes nothing where nothing is to be changed', async () => {
    await add('a');
    expect(await current().changePresets('ada', () => undefined)).toBeUndefined();
    expect(await current().listPresets('ada')).toEqual([preset('a')]);
  });
}
