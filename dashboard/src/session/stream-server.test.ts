import { serve } from '../../../functions/test/support/serve';
import { streamServer } from './stream-server';

const PAGE = 'https://acme.web.app';

/** A function that counts who looks for it, and answers with a status. */
async function someFunction(status: () => number) {
  const asked: (string | undefined)[] = [];
  const { baseUrl } = await serve((req, res) => {
    asked.push(req.url);
    res.writeHead(status()).end('{}');
  });
  return { api: baseUrl, asked };
}

describe('who is asked for streams', () => {
  it('is the function, which is looked for once', async () => {
    const { api, asked } = await someFunction(() => 200);
    const server = streamServer({ page: PAGE, api });
    expect(asked).toEqual([]);
    expect([await server(), await server()]).toEqual([api, api]);
    expect(asked).toEqual(['/dashboard/config.json']);
  });

  it('is the server of the page where the function cannot be asked, until it can', async () => {
    let status = 404;
    const { api } = await someFunction(() => status);
    const server = streamServer({ page: PAGE, api });
    expect(await server()).toBe(PAGE);
    status = 200;
    expect(await server()).toBe(api);
    expect(await streamServer({ page: PAGE, api: 'http://127.0.0.1:9' })()).toBe(PAGE);
  });

  it('is the server of the page where that is all that is known', async () => {
    expect(await streamServer({ page: PAGE, api: undefined })()).toBe(PAGE);
  });
});
