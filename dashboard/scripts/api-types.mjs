// Writes src/api/schema.d.ts: the types of the API, made from the OpenAPI document that the function makes from its schemas.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';

const FUNCTIONS = fileURLToPath(new URL('../../functions/', import.meta.url));
const TYPES = fileURLToPath(new URL('../src/api/schema.d.ts', import.meta.url));
const require = createRequire(join(FUNCTIONS, 'package.json'));

const ast = await openapiTypescript(await openApiDocument(), { rootTypes: false });
await writeFile(TYPES, `// Made by \`npm run types\`; not kept in Git.\n${astToString(ast)}`);

/** The document as the function serves it, from its sources. */
async function openApiDocument() {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const outfile = join(folder, 'document.cjs');
    await require('esbuild').build({
      entryPoints: [join(FUNCTIONS, 'src/api/openapi/document.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      // No description needs it, and its zod would be made ready before ours.
      external: ['@modelcontextprotocol/server'],
      outfile,
      logLevel: 'error',
    });
    const { bytes } = await require(outfile).openApi().handle();
    return JSON.parse(bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
