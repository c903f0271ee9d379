import { temporaryDirectory } from '../../test/support/temporary-directory';
import { readConfig } from '../config';
import { createServices, type Services } from '../services';
import type { Ask, Output } from './command';
import { createProgram } from './program';

describe('keys rotate: the overlap', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let container: Services;
  let id: string;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    container = createServices(readConfig({ DATA_DIR: directory.path, STORE: 'embedded', LOG_LEVEL: 'error' }));
    await container.store.putSubscription({ userId: 'alice', tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 });
    id = ((await run(['keys', 'create', '--user', 'alice', '--name', 'laptop'])).data as { id: string }).id;
  });
  afterEach(async () => {
    await container.store.close();
    await directory.remove();
  });

  const run = async (args: readonly string[], ask?: Ask): Promise<Output> => {
    let output: Output | undefined;
    const program = createProgram((work) => async (options) => {
      output = await work({ container, options, ask });
    });
    await program.parseAsync(args, { from: 'user' });
    if (!output) throw new Error('nothing was done');
    return output;
  };
  /** Answers one question after the other, and remembers them. */
  const operator = (...answers: string[]) => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answers.shift() ?? '';
    };
    return { questions, ask };
  };
  const hoursLeft = async (): Promise<number> => {
    const key = await container.store.findKey(id);
    return Math.round(((key?.expiresAtMs ?? 0) - Date.now() + 60_000) / 3_600_000);
  };

  it('is asked for, until the answer is one of those offered', async () => {
    const { questions, ask } = operator('soon', '24h');
    const { text, data } = await run(['keys', 'rotate', '--id', id], ask);
    expect(questions).toEqual(Array(2).fill('How long shall the old key work on (0, 1h, 24h, 7d)? [0] '));
    expect(await hoursLeft()).toBe(24);
    expect(text).toMatch(new RegExp(`The old key ${id} works until \\d{4}-.*Z \\(overlap 24h\\)\\.$`));
    expect(data).toMatchObject({ replaces: id, overlap: '24h' });
  });

  it('is none where nobody can be asked, and that is said', async () => {
    const { text, data } = await run(['keys', 'rotate', '--id', id]);
    expect(text).toContain(`The old key ${id} works no more (overlap 0, the default).`);
    expect(data).toMatchObject({ replaces: id, overlap: '0' });
  });

  it('is not asked for where it is given, or where there is no such key', async () => {
    const { questions, ask } = operator();
    await run(['keys', 'rotate', '--id', id, '--overlap', '7d'], ask);
    await expect(run(['keys', 'rotate', '--id', 'key_none'], ask)).rejects.toThrow('No live key with id key_none');
    expect(questions).toEqual([]);
    expect(await hoursLeft()).toBe(168);
  });

  it('never lengthens the life of a key, and says its real end', async () => {
    await run(['keys', 'create', '--user', 'alice', '--name', 'short', '--expires', '2h']);
    const [short] = await container.store.listKeys('alice');
    const { data } = await run(['keys', 'rotate', '--id', short?.keyId ?? '', '--overlap', '7d']);
    expect(data).toMatchObject({ oldKeyEndsAt: new Date(short?.expiresAtMs ?? 0).toISOString() });
  });
});
