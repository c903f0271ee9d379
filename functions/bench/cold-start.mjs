// From the start of a process to its first answered pass-through, as on Cloud Run: the framework's program with the built
// bundle, on either store, beside a hello-world function.
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { firebaseEnvironment, runs } from '../scripts/firebase-cli.mjs';
import { bundle, onFramework, serviceSettings } from './contenders.mjs';
import { firstAnswerMs, target } from './load.mjs';
import { FUNCTIONS, freePort, start, treeOf } from './processes.mjs';

export const COLD_FIGURES = [
  { key: 'answerMs', title: 'cold start to first answer', unit: 'ms' },
  { key: 'cpuMs', title: 'CPU until then', unit: 'ms' },
];

/** The contenders. Without an emulator there is no Firestore. */
export async function coldContenders(upstream) {
  const settings = serviceSettings(upstream);
  const hello = await bundle('hello-function', settings);
  const host = process.env.FIRESTORE_EMULATOR_HOST ?? (await startEmulator());
  const onFirestore = { ...settings, STORE: 'firestore', FIRESTORE_EMULATOR_HOST: host, GCLOUD_PROJECT: 'demo-bench' };
  return [
    { name: 'hello', title: 'hello-world function', start: startable(hello, settings, 'none') },
    { name: 'ours', title: 'ours on SQLite', start: startable(FUNCTIONS, settings, demoKey(settings)) },
    ...(host === undefined
      ? []
      : [
          {
            name: 'firestore',
            title: 'ours on Firestore',
            start: startable(FUNCTIONS, onFirestore, demoKey(onFirestore)),
          },
        ]),
  ];
}

/** One cold start. */
export async function coldStart({ start: begin }) {
  const server = await begin();
  try {
    return { answerMs: (await firstAnswerMs(server, server.to)) - server.startedMs, cpuMs: treeOf(server.pid).cpuMs() };
  } finally {
    await server.stop();
  }
}

function startable(source, settings, key) {
  return async () => {
    const server = await onFramework(source, settings);
    return { ...server, to: target(server.origin, () => `Bearer ${key}`) };
  };
}

function demoKey(settings) {
  const env = { ...process.env, ...settings };
  return JSON.parse(execFileSync(process.execPath, ['lib/seed.js'], { cwd: FUNCTIONS, env, encoding: 'utf8' })).key;
}

async function startEmulator() {
  if (!runs('hidane')) {
    console.error('no Firestore: cargo install hidane --version 0.6.0 --locked');
    return undefined;
  }
  const port = await freePort();
  const emulator = start(['hidane', '--host', '127.0.0.1', '--port', String(port)], { env: firebaseEnvironment() });
  while (emulator.isRunning() && !(await isOpen(port))) await sleep(20);
  return `127.0.0.1:${port}`;
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
