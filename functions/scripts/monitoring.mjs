// `npm run monitoring -- --project P`: log-based metrics, alerts and dashboard of monitoring/ for a deployed project.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { applyMonitoring } from './apply-monitoring.mjs';
import { quotedForCmd } from './quoted-for-cmd.mjs';

const USAGE = 'npm run monitoring -- --project <project id> [--channel <name of a notification channel>]… [--check]';
const CHANNEL = /^projects\/[^/]+\/notificationChannels\/\d+$/;

try {
  const { project, channels, check } = options();
  await applyMonitoring(
    { gcloud, pause, say: console.log },
    { folder: resolve('../monitoring'), project, channels, check },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function options() {
  const { values } = parse();
  const { project = '', channel: channels = [], check = false } = values;
  if (!/^[a-z][a-z0-9:.-]+$/.test(project)) throw new Error(`--project must be the id of a project: ${USAGE}`);
  const wrong = channels.find((channel) => !CHANNEL.test(channel));
  if (wrong !== undefined) {
    throw new Error(`--channel must be projects/PROJECT/notificationChannels/NUMBER, not ${wrong}`);
  }
  return { project, channels, check };
}

function parse() {
  try {
    return parseArgs({
      options: {
        project: { type: 'string', short: 'P' },
        channel: { type: 'string', multiple: true },
        check: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new Error(`${error.message}\n${USAGE}`, { cause: error });
  }
}

/** Runs the Google Cloud CLI; what it asks for it is not given. */
async function gcloud(words) {
  // On Windows it is a batch file, which a shell has to start.
  const shell = process.platform === 'win32';
  const child = spawn('gcloud', [...words.map((word) => (shell ? quotedForCmd(word) : word)), '--quiet'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell,
  });
  const ended = new Promise((resolved, reject) => {
    child.once('error', reject);
    child.once('close', resolved);
  });
  try {
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) return stdout;
    throw new Error(complaint(stderr) || `gcloud ended with code ${code}`);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw new Error('gcloud is not installed: https://cloud.google.com/sdk/docs/install', { cause: error });
  }
}

function complaint(stderr) {
  const hint = stderr.includes("Invalid choice: 'policies'")
    ? '\nThis gcloud is too old: gcloud components update'
    : '';
  return stderr.trim() + hint;
}
