import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere } from '../support/describe-where';
import { during } from '../support/during';
import { type Ended, freePorts, listening } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';
import { buildImage, DEVICES, type Image } from './image';

/** Time in which a container starts beside everything else that tests have running. */
const PATIENCE_MS = 60_000;

/** A running container of an image, on a port of 127.0.0.1. */
type Container = Awaited<ReturnType<typeof startContainer>>;

/** Starts a container with a read-only root, and `data` in the place of its volume; `settings` are added to its environment. */
async function startContainer(image: Image, data: string, settings: Readonly<Record<string, string>> = {}) {
  const { port } = await freePorts('port');
  const env = { ...image.env, PORT: String(port), ...settings };
  mkdirSync(image.root + image.volume, { recursive: true });
  const [program = '', ...args] = commandLine(image, data);
  const outer = spawn(program, args, { env });
  const { output, ended } = collect(outer);
  await listening(port, outer, PATIENCE_MS).catch((error: Error) => {
    throw new Error(`${error.message}: ${output.stdout}${output.stderr}`);
  });
  // The first process of the container is the only child of the one that made it.
  const pid = Number(readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim());
  const [uid, gid] = image.user.split(':');
  const into = ['--target', String(pid), '--mount', '--pid', '--root', '--wd', `--setuid=${uid}`, `--setgid=${gid}`];
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid,
    /** Runs a command beside the server, as `docker exec` does. */
    exec: async (...command: readonly string[]) => {
      const executed = collect(spawn('/usr/bin/nsenter', [...into, '--', ...command], { env }));
      const { code } = await executed.ended;
      return { code, ...executed.output };
    },
    terminate: () => process.kill(pid, 'SIGTERM'),
    ended,
    /** Ends it without warning; the death of the first process ends the others of its namespace. */
    remove: async () => {
      if (outer.exitCode === null) process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** The command line of a container: the first process of a namespace of its own, with its own mounts. Needs root on Linux. */
function commandLine({ root, directory, user, volume, command }: Image, data: string): string[] {
  const [uid = '', gid = uid] = user.split(':');
  const bind = (from: string, to: string): string => `mount --rbind ${quote(from)} ${quote(to)}`;
  const script = [
    'set -e',
    'path=$PATH',
    // The settings of the container may name another PATH.
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    bind(root, root),
    bind(data, root + volume),
    ...DEVICES.map((path) => bind(path, root + path)),
    `mount -t proc proc ${quote(`${root}/proc`)}`,
    `mount -o remount,bind,ro ${quote(root)}`,
    'unshare=$(command -v unshare)',
    'PATH=$path',
    `exec "$unshare" --root=${quote(root)} --wd=${quote(directory)} --setgid=${gid} --setuid=${uid} -- "$@"`,
  ];
  return ['/usr/bin/unshare', '--mount', '--pid', '--fork', '/bin/sh', '-c', script.join('\n'), 'sh', ...command];
}

function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Keeps what a process writes; `ended` resolves once it has ended and its output is complete. */
function collect(child: ChildProcessWithoutNullStreams) {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      output[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return { output, ended };
}

/** The container of docs/self-hosting.md: what is in its image, and how it serves, is administered, backed up and ended. */

const USER = 65_532;
const OWNED = `${USER}/${USER}`;
const FUNCTIONS = join(__dirname, '..', '..');

// Each test starts containers and administers them by programs, all of which begin from nothing.
jest.setTimeout(120_000);

/** Program that this machine lacks to run containers, or undefined. */
function missing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  try {
    const mounting = ['--mount', '--pid', '--fork', 'mount', '-t', 'proc', 'proc', '/proc'];
    execFileSync('/usr/bin/unshare', mounting, { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this machine lets nobody mount';
  }
}

describeWhere('the container', missing(), () => {
  const folder = during('all', temporaryDirectory);
  let image: Image;
  let volumes = 0;
  beforeAll(() => {
    image = buildImage(folder.path);
  });

  const started: Container[] = [];
  afterEach(async () => {
    for (const container of started.splice(0)) await container.remove();
  });
  async function start(data: string, env?: Record<string, string>): Promise<Container> {
    const container = await startContainer(image, data, env);
    started.push(container);
    return container;
  }
  /** A data directory, owned by the user of the image as a new volume is. */
  function newVolume(owner = USER): string {
    volumes += 1;
    const path = join(folder.path, `volume-${volumes}`);
    mkdirSync(path);
    chownSync(path, owner, owner);
    return path;
  }
  /** A user and a key, as the documentation makes the first ones. */
  async function firstKey({ exec }: Container): Promise<string> {
    const admin = ['node', 'lib/admin.js'];
    await exec(...admin, 'subscriptions', 'set', '--user', 'alice', '--tier', 'pro', '--status', 'active');
    const { stdout } = await exec(...admin, 'keys', 'create', '--user', 'alice', '--name', 'laptop', '--json');
    return (JSON.parse(stdout) as { key: string }).key;
  }

  describe('as an image', () => {
    it('holds the function, its production packages and the tools of an operator, and nothing else of ours', () => {
      const ours = image.files.filter(({ path }) => path.startsWith('app/') && !path.endsWith('/'));
      const outside = ours.filter(({ path }) => !path.startsWith('app/node_modules/')).map(({ path }) => path);
      const sdks = ['sdk-anthropic', 'sdk-firestore', 'sdk-google', 'sdk-mcp', 'sdk-openai'];
      const programs = ['admin', 'check-language', 'check-regex', 'server', ...sdks].map(
        (name) => `app/lib/${name}.js`,
      );
      expect(outside.filter((path) => !path.startsWith('app/lib/page/')).toSorted()).toEqual(
        [...programs, ...['LICENSE', 'package.json'].map((name) => `app/${name}`)].toSorted(),
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
    const container = await start(newVolume());
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
    const volume = newVolume();
    const first = await start(volume);
    const headers = { authorization: `Bearer ${await firstKey(first)}` };
    const body = JSON.stringify({ model: 'ensemble', stream: true, messages: [{ role: 'user', content: 'Why?' }] });
    const response = await fetch(`${first.baseUrl}/v1/chat/completions`, { method: 'POST', headers, body });
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/data: \[DONE\]\n\n$/)]);
    expect((await fetch(`${first.baseUrl}/docs`)).status).toBe(200);
    expect(await first.exec(...image.healthCheck)).toEqual({ code: 0, stdout: '', stderr: '' });
    first.terminate();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    const kept = readdirSync(volume).filter((name) => !name.startsWith('ensemble.db-'));
    expect(kept.toSorted()).toEqual(['ensemble.db', 'key-pepper']);

    const second = await start(volume);
    const usage = await (await fetch(`${second.baseUrl}/v1/usage`, { headers })).json();
    expect(usage).toMatchObject({ data: [{ n_requests: 1 }] });
  });

  it('is unwell while its server does not answer', async () => {
    const container = await start(newVolume());
    process.kill(container.pid, 'SIGSTOP');
    const { code, stderr } = await container.exec(...image.healthCheck);
    expect([code, stderr]).toEqual([1, 'The operation was aborted due to timeout\n']);
  });

  it.each([
    [0, {}, /Cannot use \/data\/ensemble.db: this user may not .* DATA_DIR/],
    [USER, { LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of .*/],
  ])('with a data directory of user %s and the settings %j does not start, and says why in a line', async (...row) => {
    const [owner, env, line] = row;
    await expect(start(newVolume(owner), env)).rejects.toThrow(
      new RegExp(`^the program ended with code 1: ${line.source}\n$`),
    );
  });
});
