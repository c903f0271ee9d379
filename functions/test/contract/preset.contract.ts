import type { CurrentStore } from './store.contract';

/** `PresetStore`. */
export function presetContract(current: CurrentStore): void {
  const preset = (name: string, setUp: Readonly<Record<string, unknown>> = {}) => ({ name, setUp });
  const max = { count: 3, bytes: 100 };
  const names = async (userId = 'ada') => (await current().listPresets(userId)).map(({ name }) => name);

  it('keeps presets under any name, in the order of names, for their user alone', async () => {
    const saved = [preset('a.b/c `__x__`', { 'a.b': 'ü', __x__: [null, [1]] }), preset('Ü')];
    for (const one of saved.toReversed()) expect(await current().savePreset('ada', one, max)).toBe(true);
    expect(await current().listPresets('ada')).toEqual(saved);
    expect(await names('bob')).toEqual([]);
  });

  it('has one of a name, which the next one takes the place of', async () => {
    await current().savePreset('ada', preset('a', { old: 1 }), max);
    const newer = preset('a', { new: 1 });
    expect(await current().savePreset('ada', newer, { ...max, count: 1 })).toBe(true);
    expect(await current().listPresets('ada')).toEqual([newer]);
  });

  it('never has more than allowed, in number or in bytes, also when many are saved at once', async () => {
    const saved = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => current().savePreset('ada', preset(name), max)),
    );
    expect(saved.filter(Boolean)).toHaveLength(3);
    expect(await names()).toHaveLength(3);
    // As JSON 51 bytes in 50 characters.
    const half = { x: `${'x'.repeat(41)}ü` };
    expect(await current().savePreset('bob', preset('a', half), max)).toBe(true);
    expect(await current().savePreset('bob', preset('b', half), max)).toBe(false);
    expect(await names('bob')).toEqual(['a']);
    expect(await current().savePreset('bob', preset('a', half), max)).toBe(true);
  });

  it('removes one once, of its user alone', async () => {
    await current().savePreset('ada', preset('a'), max);
    expect(await current().removePreset('bob', 'a')).toBe(false);
    expect(await current().removePreset('ada', 'a')).toBe(true);
    expect(await current().removePreset('ada', 'a')).toBe(false);
    expect(await names()).toEqual([]);
  });
}
