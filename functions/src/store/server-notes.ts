import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';

/** `store` has the settings that lead to it, as they are typed in a shell. */
const NOTE = z.object({ pid: z.int(), host: z.string(), port: z.int().min(1).max(65_535), store: z.string() });

/** Note of a running server for other programs on its machine. */
export type ServerNote = z.infer<typeof NOTE>;

/** Beside the code that runs, where all programs of an installation find it, whatever their settings are. */
const FOLDER = join('node_modules', '.cache', 'ensemble-servers');
const CONNECT_TIMEOUT_MS = 500;

/**
 * Leaves a note of a server of this process in the installation `directory`, until the function it returns is called or
 * the process ends. Where nothing can be written, as in a container, there is none.
 */
export function leaveNote(directory: string, server: Omit<ServerNote, 'pid'>): () => void {
  const { pid } = process;
  const folder = join(directory, FOLDER);
  // One that a killed server left is overwritten by the next at its port.
  const file = join(folder, `${server.port}.json`);
  const atExit = () => rmSync(file, { force: true });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ pid, ...server } satisfies ServerNote), { mode: 0o600 });
  } catch {
    return () => undefined;
  }
  process.once('exit', atExit);
  return () => {
    process.off('exit', atExit);
    atExit();
  };
}

/** The servers of an installation that run: their port takes connections. */
export async function runningServers(directory: string): Promise<ServerNote[]> {
  const notes = notesIn(join(directory, FOLDER));
  const accepting = await Promise.all(notes.map(accepts));
  return notes.filter((_, index) => accepting[index]);
}

function notesIn(folder: string): ServerNote[] {
  try {
    return readdirSync(folder).flatMap((name) => noteIn(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

function noteIn(path: string): ServerNote | undefined {
  try {
    return NOTE.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

function accepts({ host, port }: ServerNote): Promise<boolean> {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return new Promise((resolve) => {
    const socket = connect({ host: reachable, port, timeout: CONNECT_TIMEOUT_MS });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
