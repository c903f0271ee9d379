import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ANSWER, attempt, MCP_TASK, TASKS } from './attempt.mjs';

const PATIENCE_MS = 180_000;
/** Calls of the arbiter: both tasks have six and four steps and their last words. */
const ARBITER_CALLS = 12;
/** The models of a session, and the calls of participants: two in each turn of the user. */
const MODELS = [
  { model: 'scripted', called: 'one model', advice: 0 },
  { model: 'ensemble', called: 'an ensemble', advice: 4 },
];

/**
 * Lets a coding agent on the command line do both tasks in a repository of its own, with one model and with an ensemble.
 * `words` is how it is started; `files` are its settings, below its home; `signIn` is another start before; `besides` are
 * the calls that it makes for itself.
 */
export async function editSessions({ besides = 0, ...agent }) {
  for (const { model, called, advice } of MODELS) {
    const expected = { tried: `ten tools in two turns with ${called}`, kind: 'edit', calls: ARBITER_CALLS + advice + besides };
    await attempt(expected, () => inProject(agent, model, editNotes));
  }
}

/** Lets a coding agent ask the service by a tool of its own, as an MCP client. */
export async function mcpSession(agent) {
  await attempt({ tried: 'the tool ask by MCP', kind: 'mcp' }, () =>
    inProject(agent, 'scripted', async (start) => (await start(MCP_TASK, true)).includes(`They say: ${ANSWER}`)),
  );
}

async function editNotes(start, notes) {
  let said = '';
  for (const [turn, task] of TASKS.entries()) said += await start(`${task} in ${notes}`, turn === 0);
  return { notes: readFileSync(notes, 'utf8'), isDone: said.includes('It is done.'), tellsAdvice: said.includes('ADVICE') };
}

/** Does something with an agent in a repository that has notes in it; `start` gives what the agent printed. */
async function inProject({ program, words, files = () => ({}), signIn, env = {} }, model, work) {
  const root = mkdtempSync(join(tmpdir(), 'ensemble-client-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  const notes = join(project, 'notes.txt');
  const { PATH } = process.env;
  const run = async (typed) => {
    const options = { cwd: project, env: { PATH, HOME: home, NO_COLOR: '1', ...env }, timeout: PATIENCE_MS };
    const running = promisify(execFile)(resolve(dirname(process.argv[1]), program), typed, options);
    running.child.stdin.end();
    return (await running).stdout;
  };
  try {
    for (const [name, text] of Object.entries(files(model))) write(join(home, name), text);
    write(notes, 'one\ntwo\nthree\n');
    execFileSync('git', ['init', '--quiet', project]);
    if (signIn) await run(signIn(model));
    return await work((prompt, isFirst) => run(words({ prompt, isFirst })), notes);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
