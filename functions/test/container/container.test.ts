import { readFileSync } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { describeWhere } from '../support/describe-where';
import { startFakeUpstream, underControl } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { textOfTokens } from '../support/text-of-tokens';
import type { Container, Image } from './container';
import { missingForContainers, openImage } from './images';
import { ADMIN, chat, firstKey, usage } from './service';
import { giveTo, newVolume } from './volume';

/** The container of docs/self-hosting.md: what is in its image, and how it serves, is administered, backed up and ended. */

const USER = 65_532;
const OWNED = `${USER}/${USER}`;
const FUNCTIONS = join(__dirname, '..', '..');
const [openai] = PROTOCOLS;

// Each test starts containers and administers them by programs, all of which begin from nothing.
jest.setTimeout(120_000);

describeWhere('the container', missingForContainers(), () => {
  let image: Image;
  beforeAll(async () => {
    image = await openImage();
  });
  afterAll(() => image?.remove());

  const started: Container[] = [];
  afterEach(async () => {
    for (const container of started.splice(0)) await container.remove();
  });
  async function start(...args: Parameters<Image['start']>): Promise<Container> {
    const container = await image.start(...args);
    started.push(container);
    return container;
  }

  describe('as an image', () => {
    it('holds the function, its production packages and the tools of an operator, and nothing else of ours', () => {
      const ours = image.files.filter(({ path }) => path.startsWith('app/') && !path.endsWith('/'));
      const outside = ours.filter(({ path }) => !path.startsWith('app/node_modules/')).map(({ path }) => path);
      const sdks = ['sdk-anthropic', 'sdk-firestore', 'sdk-google', 'sdk-openai'];
      const programs = ['admin', 'check-language', 'check-regex', 'server', ...sdks].map(
        (name) => `app/lib/${name}.js`,
      );
      expect(outside.filter((path) => !path.startsWith('app/lib/page/')).toSorted()).toEqual(
        [
          ...programs,
          ...['LICENSE', 'package.json', 'scripts/health-check.mjs'].map((name) => `app/${name}`),
        ].toSorted(),
      );
      const { devDependencies } = JSON.parse(readFileSync(join(FUNCTIONS, 'package.json'), 'utf8'));
      const packages = new Set(ours.map(({ path }) => /^app\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
      // Production packages need some that we name for our tests alone.
      const shared = ['@types/node', 'ajv'];
      expect(Object.keys(devDependencies).filter((name) => packages.has(name) && !shared.includes(name))).toEqual([]);
      expect(ours.filter(({ path }) => /\.(map|ts|mts|cts|built)$|\.test\.|\.env/.test(path))).toEqual([]);
    });

    it('has no shell, and nothing that its own user may change but the volume', () => {
      expect(image.files.filter(({ path }) => /(^|\/)(ba|da|a)?sh$|busybox|\/npm$/.test(path))).toEqual([]);
      const changeable = image.files.filter(({ owner, path }) => owner === OWNED && !path.startsWith('home/'));
      expect(changeable.map(({ path }) => path)).toEqual(['data/']);
      const open = image.files.filter(
        ({ mode, path }) => mode[0] !== 'l' && mode[8] === 'w' && !/^(tmp|dev|var)\//.test(path),
      );
      expect(open).toEqual([]);
    });

    it('is of at most 50 MB beside its base', () => {
      const ours = image.files.filter(({ path }) => path.startsWith('app/'));
      expect(ours.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toBeLessThan(50);
    });
  });

  it('runs as a user without rights, who can write to the data directory and nowhere else', async () => {
    await using volume = await newVolume();
    const container = await start(volume.path);
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    const places = ['/', '/app', '/app/lib', '/tmp', '/nodejs', '/data'];
    const attempt = `for (const place of ${JSON.stringify(places)}) {
      try { fs.writeFileSync(place + '/x', ''); fs.rmSync(place + '/x'); console.log(place); } catch {}
    }`;
    expect((await container.exec('node', '-e', attempt)).stdout).toBe('/data\n');
  });

  it('serves whoever an operator gives a key, says that it is well, and keeps everything in the data directory', async () => {
    await using volume = await newVolume();
    const first = await start(volume.path);
    const key = await firstKey(first);
    const response = await chat(first, key, { model: 'ensemble', stream: true });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
    expect((await fetch(`${first.baseUrl}/docs`)).status).toBe(200);
    expect(await first.exec(...image.healthCheck)).toEqual({ code: 0, stdout: '', stderr: '', all: '' });
    const before = await usage(first, key);
    first.terminate();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    const kept = (await readdir(volume.path)).filter((name) => !name.startsWith('ensemble.db-'));
    expect(kept.toSorted()).toEqual(['ensemble.db', 'key-pepper']);

    const second = await start(volume.path);
    expect(await usage(second, key)).toEqual(before);
  });

  it('is unwell while its server does not answer', async () => {
    await using volume = await newVolume();
    const container = await start(volume.path);
    process.kill(container.pid, 'SIGSTOP');
    const { code, stderr } = await container.exec(...image.healthCheck);
    expect([code, stderr]).toEqual([1, 'The operation was aborted due to timeout\n']);
  });

  it('ends an open stream at SIGTERM, settles it, and exits with 0', async () => {
    const upstream = await startFakeUpstream();
    await using volume = await newVolume();
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
    const container = await start(volume.path, env);
    const key = await firstKey(container);
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const writing = exchange.then(({ write }) => write(openai?.textEvent(textOfTokens(10)) ?? ''));
    const response = await chat(container, key, { model: 'vendor-x', stream: true });
    await writing;
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('🍅🍅')) seen += (await reader?.read())?.value ?? '';
    container.terminate();
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) seen += piece.value;
    expect(seen.split('\n\n').slice(-2)).toEqual(['data: {"error":"The server is restarting"}', '']);
    expect(await container.ended).toEqual({ code: 0, signal: null });
    const store = openEmbeddedStore({ directory: volume.path });
    const record = await store.findRecord(response.headers.get('x-request-id') ?? '');
    // Estimates: 100 and 4 for the turn; the 10 that had come.
    expect(record).toMatchObject({ state: 'settled', calls: [{ promptTokens: 104, completionTokens: 10 }] });
    await store.close();
    await upstream.close();
  });

  it('is backed up while it serves, and goes on from the copy in a new data directory', async () => {
    await using volume = await newVolume();
    await using restored = await newVolume();
    const container = await start(volume.path);
    const key = await firstKey(container);
    await chat(container, key, { model: 'demo-ada' });
    const before = await usage(container, key);
    const copied = await container.exec(...ADMIN, 'store', 'backup', '--to', '/data/backup.db');
    expect(copied).toMatchObject({ code: 0 });
    await chat(container, key, { model: 'demo-ada' });
    await container.remove();

    for (const [from, to] of [
      ['backup.db', 'ensemble.db'],
      ['key-pepper', 'key-pepper'],
    ] as const) {
      await copyFile(join(volume.path, from), join(restored.path, to));
    }
    await giveTo(restored.path, USER);
    const again = await start(restored.path);
    expect(await usage(again, key)).toEqual(before);
    expect((await chat(again, key, { model: 'demo-ada' })).status).toBe(200);
  });

  it.each([
    [0, {}, /Cannot use \/data\/ensemble.db: this user may not .* DATA_DIR/],
    [USER, { LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of .*/],
  ])('with a data directory of user %s and the settings %j does not start, and says why in a line', async (...row) => {
    const [owner, env, line] = row;
    await using volume = await newVolume(owner);
    await expect(start(volume.path, env)).rejects.toThrow(
      new RegExp(`^the program ended with code 1: ${line.source}\n$`),
    );
  });
});
