import { source } from 'axe-core';
import type { CDPSession } from 'playwright-core';
import type { OpenedPage } from './browser';
import { drawn } from './drawn';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All that a theme can change for axe: themes set colours, and nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const WIDTHS = [1280, 360];
const HEIGHT = 800;

/**
 * The violations that axe finds on a page as it is now, a line for each element. It runs in a world of its own, so that the
 * content security policy of the page holds meanwhile.
 */
export function axeViolations(opened: OpenedPage): Promise<string[]> {
  return withAxe(opened, (run) => run(TAGS));
}

/** The same in both themes, on a desktop and on a phone: in dark of the colours alone. */
export function axeViolationsInAllLooks(opened: OpenedPage): Promise<string[]> {
  const { page } = opened;
  return withAxe(opened, async (run) => {
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await drawn(page);
      for (const [colorScheme, rules] of [
        ['light', TAGS],
        ['dark', COLOUR_RULES],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await run(rules)).map((flaw) => `${colorScheme}, ${width} px: ${flaw}`));
      }
    }
    return found;
  });
}

/** Axe with some rules, named by their ids or tags. */
type RunAxe = (rules: readonly string[]) => Promise<string[]>;

async function withAxe({ page, context }: OpenedPage, find: (run: RunAxe) => Promise<string[]>): Promise<string[]> {
  const session = await context.newCDPSession(page);
  try {
    const contextId = await worldOf(session);
    // It takes longer than to run it: not once more until another document is loaded.
    if (!(await evaluate(session, { contextId, expression: "'axe' in globalThis" })))
      await evaluate(session, { contextId, expression: source });
    return await find(async (rules) => (await evaluate(session, { contextId, expression: runOf(rules) })) as string[]);
  } finally {
    await session.detach();
  }
}

function runOf(rules: readonly string[]): string {
  const options = { runOnly: rules, resultTypes: ['violations'] };
  return `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) =>
      id + ': ' + help + ': ' + target.join(' ') + ' ' + any.map(({ message }) => message).join(' '))))`;
}

async function worldOf(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  return executionContextId;
}

async function evaluate(
  session: CDPSession,
  script: { readonly contextId: number; readonly expression: string },
): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    ...script,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
