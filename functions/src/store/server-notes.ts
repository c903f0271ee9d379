import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Note of a running server for other programs on its machine. */
export interface ServerNote {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  /** The settings that lead to its store, as they are typed in a shell. */
  readonly store: string;
}

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
  const file = join(folder, `${pid}-${server.port}.json`);
  const atExit = () => rmSync(file, { force: true });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { note, path } of notesIn(folder)) if (!note || !isAlive(note.pid)) rmSync(path, { force: true });
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

/** The servers of an installation that run: their process is there, and their port takes connections. */
export async function runningServers(directory: string): Promise<ServerNote[]> {
  const notes = notesIn(join(directory, FOLDER)).flatMap(({ note }) => (note && isAlive(note.pid) ? [note] : []));
  const accepting = await Promise.all(notes.map(accepts));
  return notes.filter((_, index) => accepting[index]);
}

function notesIn(folder: string): { readonly path: string; readonly note: ServerNote | undefined }[] {
  try {
    return readdirSync(folder).map((name) => ({ path: join(folder, name), note: noteIn(join(folder, name)) }));
  } catch {
    return [];
  }
}

function noteIn(path: string): ServerNote | undefined {
  try {
    const { pid, host, port, store } = JSON.parse(readFileSync(path, 'utf8'));
    const isNote = Number.isSafeInteger(pid) && typeof host === 'string' && typeof store === 'string';
    return isNote && port > 0 && port < 65_536 ? { pid, host, port, store } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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
