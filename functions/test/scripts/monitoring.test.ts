import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** The changes of `npm run monitoring` to a project, with a program in place of the Google Cloud CLI. */

const FUNCTIONS = join(__dirname, '..', '..');
const MONITORING = join(FUNCTIONS, '..', 'monitoring');
const CHANNEL = 'projects/my-project/notificationChannels/7';

/** A `gcloud` over a project in `state.json`; it writes down what it is asked to change. */
const GCLOUD = `#!/usr/bin/env node
const fs = require('node:fs');
const folder = process.env.STATE;
const state = JSON.parse(fs.readFileSync(folder + '/state.json', 'utf8'));
const [, kind, verb, name] = process.argv.slice(2);
if (state.complaint) { console.error(state.complaint); process.exit(1); }
if (verb === 'list') { console.log(JSON.stringify(state[kind])); process.exit(0); }
const file = process.argv[process.argv.findIndex((word) => word.endsWith('-from-file')) + 1];
const resource = { name: kind === 'policies' ? 'alertPolicies/' + state.policies.length : name, ...JSON.parse(fs.readFileSync(file, 'utf8')) };
const known = state[kind].findIndex((one) => one.name.endsWith(name));
if (verb === 'create') state[kind].push(resource);
else state[kind][known] = { ...state[kind][known], ...resource, name: state[kind][known].name };
state.words.push([kind, verb].join(' '));
fs.writeFileSync(folder + '/state.json', JSON.stringify(state));
console.log('{}');
`;

interface State {
  metrics: Record<string, unknown>[];
  policies: Record<string, unknown>[];
  dashboards: Record<string, unknown>[];
  words: string[];
  complaint?: string;
}

const names = (folder: string) => readdirSync(join(MONITORING, folder)).map((name) => name.replace('.json', ''));
const fileOf = (path: string) => JSON.parse(readFileSync(join(MONITORING, path), 'utf8'));

describe('npm run monitoring', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const state = (): State => JSON.parse(readFileSync(join(directory.path, 'state.json'), 'utf8'));
  const change = (over: Partial<State>): void =>
    writeFileSync(join(directory.path, 'state.json'), JSON.stringify({ ...state(), words: [], ...over }));
  beforeEach(async () => {
    directory = await temporaryDirectory();
    writeFileSync(join(directory.path, 'gcloud'), GCLOUD);
    chmodSync(join(directory.path, 'gcloud'), 0o755);
    const empty: State = { metrics: [], policies: [], dashboards: [], words: [] };
    writeFileSync(join(directory.path, 'state.json'), JSON.stringify(empty));
  });
  afterEach(() => directory.remove());

  const monitoring = async (...args: string[]) => {
    const env = { PATH: `${directory.path}:${process.env['PATH']}`, STATE: directory.path };
    const { code, output } = await ranProgram(['scripts/monitoring.mjs', ...args], env);
    return { code, lines: output.trim().split('\n') };
  };

  it('creates every metric, then every alert, then the dashboard, and nothing the second time', async () => {
    const lines = [
      ...names('metrics').map((name) => `metric ${name}`),
      ...names('policies').map((name) => `alert ${name}`),
      'dashboard',
    ];
    expect((await monitoring('--project', 'my-project', '--check')).lines).toEqual(
      lines.map((line) => `${line}: would be created`),
    );
    expect(state().words).toEqual([]);
    expect((await monitoring('--project', 'my-project', '--channel', CHANNEL)).lines).toEqual(
      lines.map((line) => `${line}: created`),
    );
    const { metrics, policies } = state();
    expect(metrics.find(({ name }) => name === 'ensemble_spend')).toMatchObject(fileOf('metrics/ensemble_spend.json'));
    expect(policies[0]).toMatchObject({ ...fileOf('policies/ledger.json'), notificationChannels: [CHANNEL] });
    change({});
    expect((await monitoring('--project', 'my-project')).lines).toEqual(
      lines.map((line) => `${line}: as it should be`),
    );
    expect(state().words).toEqual([]);
  });

  it('updates what differs, and leaves to operators who is notified and which alerts are on', async () => {
    await monitoring('--project', 'my-project');
    const { metrics, policies } = state();
    Object.assign(metrics[0] ?? {}, { filter: 'severity=ERROR' });
    Object.assign(policies[0] ?? {}, { enabled: false, notificationChannels: [`${CHANNEL}0`], severity: 'WARNING' });
    change({ metrics, policies });
    await monitoring('--project', 'my-project', '--channel', CHANNEL);
    expect(state().words.slice(0, 2)).toEqual(['metrics update', 'policies update']);
    expect(state().policies[0]).toMatchObject({
      ...{ enabled: false, severity: 'CRITICAL', notificationChannels: [`${CHANNEL}0`, CHANNEL] },
    });
  });

  it.each([
    [[], '--project must be the id of a project'],
    [['--project', 'p1', '--channel', 'me@example.com'], '--channel must be projects/PROJECT/'],
    [['--projet', 'p1'], "Unknown option '--projet'"],
  ])('%j: one line that names what is wrong', async (args, words) => {
    expect(await monitoring(...args)).toEqual({ code: 1, lines: [expect.stringContaining(words), expect.anything()] });
  });

  it('repeats what the CLI complains of, and what to do about one that is too old', async () => {
    change({ complaint: "Invalid choice: 'policies'." });
    expect(await monitoring('-P', 'my-project')).toEqual({
      code: 1,
      lines: ["Invalid choice: 'policies'.", 'This gcloud is too old: gcloud components update'],
    });
  });
});
