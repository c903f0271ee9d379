/** The framework answers some targets itself, in HTML or with nothing: those are put so that they reach our own 404. */
export function targetForFramework(url: string): string {
  if (!url.startsWith('/')) return URL.canParse(url) ? url : '/invalid-target';
  const path = url.split('?', 1)[0] ?? '';
  if (path === '/favicon.ico' || path === '/robots.txt') return `/.${path}`;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return '/invalid-percent-encoding';
  }
}
