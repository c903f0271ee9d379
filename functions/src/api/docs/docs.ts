/*
 * `GET /docs`: the reference for people, a page that shows `GET /v1/openapi.json`. It is made of files beside the program,
 * which no other module reads.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../../errors';
import { type StaticReply, staticReply } from '../../http/reply';
import type { OpenRoute } from '../../http/route';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Paths, and the files that answer there. */
const FILES = [
  { path: '/docs', name: 'index.html', contentType: HTML },
  { path: '/docs/reference.js', name: 'reference.js', contentType: SCRIPT },
  { path: '/docs/swagger-ui-bundle.js', name: 'swagger-ui-bundle.js', contentType: SCRIPT },
  { path: '/docs/swagger-ui.css', name: 'swagger-ui.css', contentType: 'text/css; charset=utf-8' },
];

/** Nothing of another origin, no script in the page itself, and no page around it. The renderer styles single elements. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

/** The page and its parts; each file is read when it is first asked for. */
export function docs(directory = join(__dirname, 'page')): OpenRoute[] {
  return FILES.map(({ path, name, contentType }) => {
    let reply: StaticReply | undefined;
    return {
      path,
      handle: async () => {
        try {
          reply ??= staticReply(await readFile(join(directory, name)), contentType, PAGE_HEADERS);
          return reply;
        } catch {
          return refuse('not_found', 'This build has no reference page: see GET /v1/openapi.json');
        }
      },
    };
  });
}
