import { fileURLToPath } from 'node:url';
import { target } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { bundle, freePort, spawnServer, startUpstream } from '../servers.mjs';
import { spawnNode, temporaryDirectory } from '../workspace.mjs';
import { NODE_ARGS } from './ours.mjs';

const RELAY = fileURLToPath(new URL('relay-with-books.mjs', import.meta.url));
const NO_KEY = () => 'Bearer none';

/** What everything is held against: the upstream itself, and functions that do less than ours. */
export async function floors({ upstream, settings }) {
  return [
    {
      name: 'bare',
      title: 'bare upstream',
      duties: ['answers', 'streams', 'ensembles'],
      start: () => ({ ...upstream, stop: () => undefined, to: toward(upstream) }),
      forms: { documented: otherUpstream },
    },
    await floor(settings, { name: 'hello', title: 'hello-world function', duties: ['answers'] }),
    await floor(settings, { name: 'sdk', title: 'SDK-only function', duties: ['answers', 'streams'] }),
    relayWithBooks(upstream),
  ];
}

async function otherUpstream() {
  const startedMs = monotonicMs();
  const other = await startUpstream();
  return { ...other, startedMs, to: toward(other) };
}

async function floor(settings, { name, ...told }) {
  const source = await bundle(`outside/${name}-function`, settings.TMPDIR);
  const start = async () => {
    const server = await spawnServer({ ...settings, FUNCTION_SOURCE: source });
    return { ...server, to: toward(server) };
  };
  return { ...{ name, ...told }, start, forms: { documented: start } };
}

function relayWithBooks(upstream) {
  const start = async () => {
    const port = await freePort();
    const startedMs = monotonicMs();
    const settings = { PORT: String(port), UPSTREAM: upstream.origin, DIRECTORY: temporaryDirectory() };
    const server = { ...spawnNode([...NODE_ARGS, RELAY], settings), origin: `http://127.0.0.1:${port}` };
    return { ...server, startedMs, to: toward(server) };
  };
  const title = 'relay with books';
  return { ...{ name: 'relay', title, duties: ['answers', 'streams'] }, start, forms: { documented: start } };
}

function toward({ origin }) {
  return target(origin, NO_KEY);
}
