import { source } from 'axe-core';
import type { CDPSession } from 'playwright-core';
import type { OpenedPage } from './browser';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const RUN = `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, any }) =>
    id + ': ' + help + ': ' + target.join(' ') + ' ' + any.map(({ message }) => message).join(' '))))`;

/**
 * What axe finds wrong with a page as it is now, a line for each element. It runs in a world of its own, so that the
 * content security policy of the page holds meanwhile.
 */
export async function axeViolations({ page, context }: OpenedPage): Promise<string[]> {
  const session = await context.newCDPSession(page);
  try {
    const contextId = await worldOf(session);
    await evaluate(session, { contextId, expression: source });
    return (await evaluate(session, { contextId, expression: RUN })) as string[];
  } finally {
    await session.detach();
  }
}

async function worldOf(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
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
