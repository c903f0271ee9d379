import { fileURLToPath } from 'node:url';
import { PROCESS_MARK } from './process-mark.mjs';

const ANSWER_MAX_MS = 5_000;

/** The arguments of Node with which a server answers `toldByProcess`. */
export const TELLING_ARGS = [
  '--expose-gc',
  '--import',
  fileURLToPath(new URL('./report-process.mjs', import.meta.url)),
];

/**
 * How late the event loop of a server was since this was last asked (median, p99 and the most, in ms), and the memory it
 * uses (MiB) without garbage.
 */
export function toldByProcess({ child, pid }) {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => end(reject, new Error('the server does not tell how it fares')), ANSWER_MAX_MS);
    const read = (part) => {
      text += part;
      const line = text.split('\n').find((one) => one.startsWith(PROCESS_MARK) && one.endsWith('}'));
      if (line !== undefined) end(resolve, JSON.parse(line.slice(PROCESS_MARK.length)));
    };
    const end = (settle, value) => {
      clearTimeout(timer);
      child.stdout.off('data', read);
      settle(value);
    };
    child.stdout.on('data', read);
    process.kill(pid, 'SIGUSR2');
  });
}
