import { dirname, join } from 'node:path';

/**
 * The command line of npm with `words`. On Windows `npm` is a batch file, which only a shell could start, with quoting of
 * its own: there npm is started on Node, as the npm that runs this script, or as the one that came with Node. On a `node`
 * named it is elsewhere started as the npm that runs this script, too.
 */
export function npmCommand(
  words,
  { platform = process.platform, env = process.env, execPath = process.execPath, node } = {},
) {
  const caller = env.npm_execpath?.endsWith('npm-cli.js') ? env.npm_execpath : undefined;
  if (platform !== 'win32') return node && caller ? [node, caller, ...words] : ['npm', ...words];
  const besideNode = join(dirname(execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return [node ?? execPath, caller ?? besideNode, ...words];
}
