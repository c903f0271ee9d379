import type { Ended } from '../support/programs';

/** A file of an image, as `tar` lists it. */
export interface ImageFile {
  readonly path: string;
  readonly mode: string;
  /** `uid/gid`, in numbers. */
  readonly owner: string;
  readonly bytes: number;
}

/** How a command in a container ended, and what it wrote. */
export interface Executed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running container of the image, on a port of 127.0.0.1. */
export interface Container {
  readonly baseUrl: string;
  /** Of its first process, as this machine sees it. */
  readonly pid: number;
  output(): string;
  /** Runs a command beside the server, as `docker exec` does. */
  exec(...command: readonly string[]): Promise<Executed>;
  /** What the orchestrator does first when it stops a container. */
  terminate(): void;
  readonly ended: Promise<Ended>;
  /** Ends it without warning. */
  remove(): Promise<void>;
}

/** An image that was built from the Dockerfile. */
export interface Image {
  /** All of its files, those of its base among them. */
  readonly files: readonly ImageFile[];
  /** The command that says whether a container is well. */
  readonly healthCheck: readonly string[];
  /** Starts it with a read-only file system and `dataDirectory` in the place of its volume. */
  start(dataDirectory: string, env?: Readonly<Record<string, string>>): Promise<Container>;
  remove(): Promise<void>;
}

/** Reads what `tar --list --verbose --numeric-owner` wrote. */
export function parseTarList(list: string): ImageFile[] {
  return list.split('\n').flatMap((line) => {
    const [, mode, owner, bytes, path] = /^(\S+)\s+(\d+\/\d+)\s+(\d+)\s+\S+\s+\S+\s+(?:\.\/)?(.*)$/.exec(line) ?? [];
    return mode && owner && path
      ? [{ mode, owner, bytes: Number(bytes), path: path.replace(/ (?:->|link to) .*/, '') }]
      : [];
  });
}
