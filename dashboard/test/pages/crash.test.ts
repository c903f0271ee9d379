import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DASHBOARD_SECRET } from '../../../functions/test/support/app';
import { freePorts, listening, type Program, startProgram } from '../../../functions/test/support/programs';
import { temporaryDirectory } from '../../../functions/test/support/temporary-directory';
import { axeViolations } from '../support/axe';
import { describeInBrowser } from '../support/browser';

const FUNCTIONS = join(__dirname, '../../../functions');
const STOPPED = 'The server stopped before the run ended';

/** A server of its own process, with the demo models, which can be killed and started again at the same address. */
async function startServer() {
  const directory = await temporaryDirectory();
  const { port } = await freePorts('port');
  const settings = {
    ...{ PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', HOST: '127.0.0.1', LOG_LEVEL: 'error' },
    ...{ PORT: String(port), DATA_DIR: directory.path, DASHBOARD_SECRET },
  };
  execFileSync(process.execPath, ['lib/seed.js'], { cwd: FUNCTIONS, env: settings });
  const programs: Program[] = [];
  const start = async (): Promise<void> => {
    const program = startProgram(['lib/server.js'], settings);
    programs.push(program);
    await listening(port, program.child);
  };
  await start();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    start,
    kill: () => programs.at(-1)?.end('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await programs.at(-1)?.end('SIGTERM', 5_000);
      await directory.remove();
    },
  };
}

describeInBrowser('a server that is killed in the middle of a run and comes back', (open) => {
  it('has the page say that the run failed, with what was written, and offer to run it again, also after a reload', async () => {
    await using server = await startServer();
    const opened = await open();
    const { page } = opened;
    page.setDefaultTimeout(20_000);
    await page.goto(`${server.baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    // It has more by then than was written: its server writes every three seconds.
    const slow = page.getByRole('article', { name: /Demo Slow/ });
    await slow.getByText('The plant.').waitFor();
    await server.kill();
    await page.getByText('The connection is lost.').waitFor();
    await server.start();
    await page.getByText('Failed: the server stopped before the run ended').waitFor();
    const answer = page.getByRole('region', { name: 'Answer of the ensemble' });
    await answer.getByText(STOPPED).waitFor();
    await slow.getByText('Cut off: the server stopped').waitFor();
    await slow.getByText('cost: not known').waitFor();
    await page.getByRole('button', { name: 'Answer ✕' }).waitFor();
    expect(await page.getByText('The answer was made from').count()).toBe(0);
    expect(await page.getByText('Cost$0.00', { exact: true }).count()).toBe(0);
    await slow.getByText('The plant.').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.reload();
    await answer.getByText(STOPPED).waitFor();
    await page.goto(`${server.baseUrl}/play/runs`);
    await page.getByRole('row', { name: /Is a tomato a fruit\?.*Failed|Failed.*Is a tomato a fruit\?/ }).waitFor();
    await page.goBack();
    await answer.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('Round 1 of 2', { exact: false }).first().waitFor();
    expect(await page.getByText(STOPPED).count()).toBe(0);
  });
});
