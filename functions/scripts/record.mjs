// Records what README.md shows: `npm start` and its streamed example, both run for real in a terminal, and draws it.
// Needs `script` of util-linux, which gives a program a terminal: `npm run record` on Linux.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drawRecording, writeOutRecording } from './draw-recording.mjs';

const COLUMNS = 100;
const START_TIMEOUT_MS = 60_000;
const QUIET_MS = 1_000;
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'docs', 'recording');
const program = join(root, 'functions', 'ask.mjs');

const port = await freePort();
const data = mkdtempSync(join(tmpdir(), 'ensemble-recording-'));
try {
  const server = inTerminal('npm start', { cwd: root, env: { PORT: String(port), DATA_DIR: data } });
  const key = await keyOf(server);
  const started = [...server.events];
  const [, example = ''] = /^```js\n(.*?)^```$/ms.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  writeFileSync(program, example.replaceAll(':8080', `:${port}`));
  const asked = inTerminal('node ask.mjs', { cwd: join(root, 'functions'), env: { KEY: key } });
  await asked.ended;
  server.interrupt();
  await server.ended;
  keep([
    { command: 'npm start', events: started },
    { command: 'node ask.mjs', events: asked.events },
  ]);
} finally {
  rmSync(data, { recursive: true, force: true });
  rmSync(program, { force: true });
}

/** A program in a terminal of its own, without the settings of whoever records; what it writes is kept with its time. */
function inTerminal(command, { cwd, env }) {
  const settings = { PATH: process.env.PATH, HOME: data, TERM: 'xterm', NO_COLOR: '1', ...env };
  const line = `stty cols ${COLUMNS} rows 40 -echo; exec ${command}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: settings,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const startedMs = performance.now();
  const events = [];
  child.stdout.setEncoding('utf8').on('data', (text) => events.push([Math.round(performance.now() - startedMs), text]));
  return { events, ended: once(child, 'exit'), interrupt: () => child.stdin.write('\x03') };
}

/** The key that the server has printed, as soon as it has said everything. */
async function keyOf({ events }) {
  const limitMs = performance.now() + START_TIMEOUT_MS;
  for (let seen = -1; performance.now() < limitMs; await pause(QUIET_MS)) {
    const [key] = /\bsk-\w+/.exec(events.map(([, text]) => text).join('')) ?? [];
    if (key !== undefined && seen === events.length) return key;
    seen = events.length;
  }
  throw new Error(`npm start printed no key:\n${events.map(([, text]) => text).join('')}`);
}

/** The port was free by chance, and the key opens a store that is gone: neither is shown. */
function keep(sections) {
  const shown = (text) => text.replaceAll(`:${port}`, ':8080').replaceAll(/\bsk-(\w+?)_\w{8,}/g, 'sk-$1_…');
  const recording = {
    columns: COLUMNS,
    sections: sections.map(({ command, events }) => ({
      command,
      events: events.map(([ms, text]) => [ms, shown(text)]),
    })),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'recording.json'), `${JSON.stringify(recording)}\n`);
  writeFileSync(join(folder, 'recording.svg'), drawRecording(recording, { moves: true }));
  writeFileSync(join(folder, 'still.svg'), drawRecording(recording, { moves: false }));
  writeFileSync(join(folder, 'recording.txt'), writeOutRecording(recording));
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  return free;
}
