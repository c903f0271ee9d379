import { once } from 'node:events';
import { START_PAGE } from './emulator-pages';
import { describeWithEmulators } from './firebase-emulators';

const SHELL_TIMEOUT_MS = 60_000;

/** The bundle under the Functions emulator, whose runtime parses bodies on its own, with Firestore behind it. */
describeWithEmulators('npm run emulators', (current) => {
  /** The printed line, as a shell would run it. */
  const printed = () => {
    const [, url = '', authorization = '', type = '', body = ''] =
      /^curl (\S+) -H "Authorization: (.+?)" -H "Content-Type: (.+?)" -d '(.+)'$/m.exec(current().output()) ?? [];
    return { url, headers: { authorization, 'content-type': type }, body };
  };

  it('ends with a curl line that answers, for the base URL and key printed above it', async () => {
    const { url, headers, body } = printed();
    const labelled = new Map<string | undefined, string | undefined>();
    for (const [, name, value] of current()
      .output()
      .matchAll(/^([A-Z][\w ]+): +(\S+)$/gm))
      labelled.set(name, value);
    expect(labelled.get('Base URL')).toBe(url.replace('/chat/completions', ''));
    expect(labelled.get('API key')).toBe(headers.authorization.replace('Bearer ', ''));
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    const completion = (await response.json()) as { object: string; choices: { message: { content: string } }[] };
    expect(completion.object).toBe('chat.completion');
    expect(completion.choices[0]?.message.content).toContain('tomato');
  });

  it('keeps the ledger in Firestore', async () => {
    const { url, headers } = printed();
    const response = await fetch(url.replace('/chat/completions', '/usage'), { headers });
    const usage = (await response.json()) as { data: { n_requests: number }[] };
    expect(usage.data[0]?.n_requests).toBe(1);
  });

  it('has the Emulator UI at the address printed, which knows the emulators', async () => {
    const [, address = ''] = /^Emulator UI: +(\S+)$/m.exec(current().output()) ?? [];
    expect(address).toBe(current().uiUrl);
    expect(await (await fetch(address)).text()).toBe(START_PAGE);
    const known = (await (await fetch(`${address}/api/config`)).json()) as Record<string, { port: number }>;
    expect(known).toMatchObject({ projectId: 'demo-ensemble', firestore: { port: current().firestorePort } });
    expect(Object.keys(known)).toEqual(expect.arrayContaining(['auth', 'functions']));
  });

  it(
    'lends its Firestore to the functions shell, in which functions are called without being signed in',
    async () => {
      const shell = current().shell();
      const says = async (text: string): Promise<void> => {
        while (!shell.output().includes(text)) await once(shell.child.stdout, 'data');
      };
      await says('firebase > ');
      shell.child.stdin.write("api.get('/health')\n");
      await says('RESPONSE RECEIVED FROM FUNCTION: 200');
      shell.child.stdin.write('sweep()\n');
      await says('Successfully invoked function.');
      shell.child.stdin.end('.exit\n');
      expect(await shell.ended).toEqual({ code: 0, signal: null });
    },
    SHELL_TIMEOUT_MS,
  );

  it('has an Auth user who owns the demo key', async () => {
    const [, email, password] = /Auth: \S+ with (\S+) \/ (\S+)/.exec(current().output()) ?? [];
    const signIn = `${current().authUrl}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(signIn, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
    expect(await response.json()).toMatchObject({ localId: 'demo' });
  });
});
