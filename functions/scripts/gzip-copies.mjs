import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const COMPRESSED = ['.css', '.html', '.js', '.svg'];
/** Below this a copy saves nothing: its reply fits into one packet anyhow. */
const BYTES_MIN = 1_000;

/** Writes a compressed copy beside each text of a folder, which the server sends to clients that take it. */
export async function gzipCopies(folder) {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names.filter((name) => COMPRESSED.includes(extname(name))).map((name) => gzipCopy(join(folder, name))),
  );
}

async function gzipCopy(path) {
  const bytes = await readFile(path);
  if (bytes.length >= BYTES_MIN) await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
