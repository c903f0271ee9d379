import { target } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { bundle, spawnServer, startUpstream } from '../servers.mjs';

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

function toward({ origin }) {
  return target(origin, NO_KEY);
}
