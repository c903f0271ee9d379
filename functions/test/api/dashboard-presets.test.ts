import { startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';

interface Presets {
  readonly presets: readonly { readonly name: string; readonly setUp: object }[];
}

describe('presets of the playground', () => {
  const put = (app: Awaited<ReturnType<typeof startApp>>, body: object) =>
    ask<Presets>(app, { method: 'PUT', path: 'presets', body });

  it('are saved under names, replaced and removed', async () => {
    await using app = await startApp();
    await app.user(LOCAL_USER, 'none');
    const setUp = { strategy: 'debate_tournament', more: ['ü'] };
    expect((await put(app, { name: 'a/b & c', setUp: {} })).status).toBe(200);
    const { body } = await put(app, { name: 'a/b & c', setUp });
    expect(body).toEqual({ presets: [{ name: 'a/b & c', setUp }] });
    expect((await ask<Presets>(app, { path: 'presets' })).body).toEqual(body);
    const path = `presets/${encodeURIComponent('a/b & c')}`;
    expect((await ask<Presets>(app, { method: 'DELETE', path })).body).toEqual({ presets: [] });
    expect((await ask(app, { method: 'DELETE', path })).body).toEqual({ presets: [] });
  });

  it.each([
    [{ setUp: {} }, 'Invalid name: must be a string'],
    [{ name: ' ', setUp: {} }, 'Invalid name: must not be blank'],
    [{ name: 'a'.repeat(81), setUp: {} }, 'Invalid name: at most 80 characters'],
    [{ name: '..', setUp: {} }, 'Invalid name: must not be dots'],
    [{ name: 'a', setUp: [] }, 'Invalid setUp: must be an object'],
    [{ name: 'a', setUp: { text: 'a'.repeat(100_000) } }, 'Invalid setUp: at most 100,000 characters as JSON'],
  ])('are refused with the name of the field', async (body, message) => {
    await using app = await startApp();
    const { status, body: reply } = await ask(app, { method: 'PUT', path: 'presets', body });
    expect([status, reply]).toMatchObject([400, { error: { message } }]);
  });

  it('are 50 at most, with half a megabyte together', async () => {
    await using app = await startApp();
    const full = 'Invalid setUp: at most 50 are saved, 500000 bytes together';
    for (let at = 0; at < 50; at += 1) expect((await put(app, { name: `${at}`, setUp: {} })).status).toBe(200);
    expect(await put(app, { name: '50', setUp: {} })).toMatchObject({
      status: 400,
      body: { error: { message: full } },
    });
    const large = { text: 'ü'.repeat(49_980) };
    for (let at = 0; at < 4; at += 1) expect((await put(app, { name: `${at}`, setUp: large })).status).toBe(200);
    const last = await put(app, {
      name: '4',
      setUp: { text: `${large.text}${'a'.repeat(10)}`, more: large.text.slice(0, 40_000) },
    });
    expect(last).toMatchObject({ status: 400 });
  });
});
