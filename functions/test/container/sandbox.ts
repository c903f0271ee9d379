/** A folder or file of this machine that a sandbox sees at a path of its own. */
export interface Mount {
  readonly from: string;
  readonly to: string;
  readonly isReadOnly: boolean;
}

/** A root folder in which a command runs as if there were nothing else, as a user of its own. */
export interface Sandbox {
  readonly root: string;
  readonly mounts: readonly Mount[];
  readonly isReadOnly: boolean;
  readonly directory: string;
  /** `uid:gid`, in numbers. */
  readonly user: string;
}

/** Where programs of this machine are: the settings of what runs in a sandbox may name another PATH. */
const TOOLS = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * The command line that runs another in a sandbox: as first process of its own process namespace, with its own mounts.
 * It needs root on Linux. What it is given as environment is that of the command.
 */
export function inSandbox(
  { root, mounts, isReadOnly, directory, user }: Sandbox,
  command: readonly string[],
): string[] {
  const [uid = '', gid = uid] = user.split(':');
  const bind = (from: string, to: string) => `mount --rbind ${quote(from)} ${quote(to)}`;
  const seal = (path: string) => `mount -o remount,bind,ro ${quote(path)}`;
  const script = [
    'set -e',
    'path=$PATH',
    TOOLS,
    bind(root, root),
    ...mounts.flatMap(({ from, to, isReadOnly: sealed }) => [
      bind(from, root + to),
      ...(sealed ? [seal(root + to)] : []),
    ]),
    `mount -t proc proc ${quote(`${root}/proc`)}`,
    ...(isReadOnly ? [seal(root)] : []),
    'unshare=$(command -v unshare)',
    'PATH=$path',
    `exec "$unshare" --root=${quote(root)} --wd=${quote(directory)} --setgid=${gid} --setuid=${uid} -- "$@"`,
  ];
  return ['/usr/bin/unshare', '--mount', '--pid', '--fork', '/bin/sh', '-c', script.join('\n'), 'sh', ...command];
}

function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
