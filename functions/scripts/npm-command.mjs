import { dirname, join } from 'node:path';

/**
 * The command line of npm with `words`. On Windows `npm` is a batch file, which only a shell could start, with quoting of
 * its own: there npm is started on Node, as the npm that runs this script, or as the one that came with Node.
 */
export function npmCommand(
  words,
  { platform = process.platform, env = process.env, execPath = process.execPath } = {},
) {
  if (platform !== 'win32') return ['npm', ...words];
  const besideNode = join(dirname(execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const caller = env.npm_execpath ?? '';
  return [execPath, caller.endsWith('npm-cli.js') ? caller : besideNode, ...words];
}
