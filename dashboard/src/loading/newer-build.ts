const RELOADED = 'reloaded-from';
/** An address that the server sends the page for, on Hosting as on a machine of one's own. */
const PAGE = '/play';

/**
 * Reloads the page where the server has a newer build than the one that runs here; false where it stays. Each build is left
 * so only once: a server that goes on sending an old page with new files would have it reload for ever.
 */
export async function reloadForNewerBuild(): Promise<boolean> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!own || !(await isReplaced(own)) || !isFirstFrom(own)) return false;
  location.reload();
  return true;
}

/** True if the page, as the server sends it now, begins with another script. */
async function isReplaced(own: string): Promise<boolean> {
  try {
    const response = await fetch(PAGE, { headers: { accept: 'text/html' }, cache: 'no-cache' });
    const html = response.ok ? await response.text() : '';
    return html.includes('type="module"') && !html.includes(`"${own}"`);
  } catch {
    return false;
  }
}

/** Without storage nothing would end a second reload: there is not even a first. */
function isFirstFrom(build: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED) === build) return false;
    sessionStorage.setItem(RELOADED, build);
    return true;
  } catch {
    return false;
  }
}
