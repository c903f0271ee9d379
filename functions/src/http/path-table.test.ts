import { createPathTable } from './path-table';
import type { AccountRoute } from './route';

const route = (method: AccountRoute['method'], path: AccountRoute['path']): AccountRoute => ({
  method,
  path,
  handle: async () => ({ body: {} }),
});
const find = createPathTable([
  route('GET', '/dashboard/keys'),
  route('PATCH', '/dashboard/keys/{id}'),
  route('DELETE', '/dashboard/keys/{id}'),
  route('POST', '/dashboard/keys/{id}/rotate'),
  route('DELETE', '/dashboard/models/{id}'),
]);

/** What a path leads to: its methods, and what stands for the id. */
function found(path: string): string | undefined {
  const rows = find(path);
  return rows && [...rows.rows.map(({ method }) => method), rows.resourceId ?? ''].join(' ').trim();
}

describe('paths with an id in them', () => {
  it.each([
    ['/dashboard/keys', 'GET'],
    ['/dashboard/keys/key_1', 'PATCH DELETE key_1'],
    ['/dashboard/keys/key_1/rotate', 'POST key_1'],
    ['/dashboard/keys/a%20b', 'PATCH DELETE a b'],
    ['/dashboard/models/owner/model', 'DELETE owner/model'],
    ['/dashboard/models/owner%2Fmodel', 'DELETE owner/model'],
  ])('%s leads to %s', (path, rows) => expect(found(path)).toBe(rows));

  it.each([
    '/dashboard',
    '/dashboard/',
    '/dashboard/keys/',
    '/dashboard/keys//rotate',
    '/dashboard/keys/%2Frotate',
    '/dashboard/keys/%E0%A4%A',
    '/dashboard/other',
    '/v1/keys',
  ])('%s leads nowhere', (path) => expect(found(path)).toBeUndefined());

  it('takes a pattern for no path', () => expect(found('/dashboard/keys/{id}')).toBe('PATCH DELETE {id}'));
});
