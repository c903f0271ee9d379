// Measures the page of a run in Chromium: eight participants write at once, 60 tokens a second each, for as many seconds as
// the first argument says (default: 60). The server is one of its own, on loopback; the pages are those of dist/.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import './build.mjs';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SECONDS = Number(process.argv[2] ?? 60);
const STREAMS = 8;
const TOKENS_A_SECOND = 60;
const CHARACTERS_A_TOKEN = 4;
/** The interval at which the server joins the pieces of a text. */
const EVERY_MS = 40;
const LONG_TASK_MS = 50;
const RUN = 'measured';

const PARAGRAPHS = `## A heading\n\nSome *running* text with **strong** words, \`code\` and a [link](https://example.com/page) in it, long
enough to be broken into a few lines on the card that it is shown on.\n\n- an item\n- another one, with *emphasis*\n- a third\n
\`\`\`ts\nconst answer: number = 42;\nexport { answer };\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n> said by somebody\n\n`;
const TEXT = PARAGRAPHS.repeat(Math.ceil((SECONDS * TOKENS_A_SECOND * CHARACTERS_A_TOKEN) / PARAGRAPHS.length));

const seats = Array.from({ length: STREAMS }, (_, index) => `p${index + 1}`);
const seat = (name) => ({ seat: name, modelId: name, modelName: name, label: `Model ${name}`, source: 'platform' });
const request = { model: 'p1', messages: [{ role: 'user', content: 'Measure.' }], ai_ensemble: {} };
const plan = { allows: { api: true, routerModels: true }, requestsPerMinute: {}, grant: {} };
const JSON_REPLIES = {
  '/dashboard/config.json': { mode: 'embedded' },
  '/dashboard/plan': plan,
  [`/dashboard/runs/${RUN}`]: { id: RUN, state: 'running', request, events: [] },
};

const server = createServer((req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost');
  if (pathname === `/dashboard/runs/${RUN}/events`) return void stream(res);
  if (pathname in JSON_REPLIES)
    return res.setHeader('content-type', 'application/json').end(JSON.stringify(JSON_REPLIES[pathname]));
  if (pathname.startsWith('/dashboard/')) return res.writeHead(404).end('{}');
  const file = join(DIST, extname(pathname) === '' ? 'index.html' : pathname);
  if (!existsSync(file)) return res.writeHead(404).end();
  res.setHeader('content-type', TYPES[extname(file)] ?? 'text/html; charset=utf-8').end(readFileSync(file));
});

/** A run whose participants all write until the time is over. */
async function stream(res) {
  const startedAtMs = Date.now();
  let seq = 0;
  const send = (event) => {
    const data = JSON.stringify({ ...event, seq, atMs: Date.now() - startedAtMs });
    res.write(`id: ${seq}\ndata: ${data}\n\n`);
    seq += 1;
  };
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  send({
    ...{ type: 'run', version: 1, runId: RUN, startedAtMs, strategy: 'competitive_refinement', rounds: 1 },
    ...{
      participants: seats.map(seat),
      arbiter: seat('arbiter'),
      callsMax: STREAMS + 1,
      costMaxNanoUsd: 0,
      durationMaxMs: 0,
    },
  });
  send({ type: 'round', round: 1, of: 1, purpose: 'draft', label: 'drafts' });
  for (const name of seats) {
    send({
      type: 'call',
      state: 'queued',
      call: name,
      seat: name,
      modelId: name,
      round: 1,
      purpose: 'draft',
      saw: [],
      shortened: false,
    });
    send({ type: 'call', state: 'started', call: name, attempt: 1 });
    send({ type: 'call', state: 'first', call: name, attempt: 1 });
  }
  let sent = 0;
  await new Promise((done) => {
    const timer = setInterval(() => {
      const due = Math.floor(((Date.now() - startedAtMs) / 1_000) * TOKENS_A_SECOND * CHARACTERS_A_TOKEN);
      for (const name of seats) send({ type: 'text', call: name, attempt: 1, text: TEXT.slice(sent, due) });
      sent = due;
      if (Date.now() - startedAtMs < SECONDS * 1_000) return;
      clearInterval(timer);
      done();
    }, EVERY_MS);
  });
  for (const name of seats)
    send({ type: 'call', state: 'done', call: name, attempt: 1, durationMs: SECONDS * 1_000, finishReason: 'stop' });
  send({
    type: 'end',
    outcome: 'complete',
    promptTokens: 0,
    completionTokens: 0,
    costNanoUsd: 0,
    calls: STREAMS,
    unpricedModels: [],
  });
  res.end();
}

server.listen(0, '127.0.0.1', async () => {
  const executablePath = process.env.CHROMIUM_PATH ?? BROWSERS.find((path) => existsSync(path));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const cdp = await page.context().newCDPSession(page);
  // Processor time of the page's main thread, which other programs of the machine do not lengthen.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.addInitScript(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) =>
      globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: 'longtask' });
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/play/${RUN}`);
  await page.getByText('Writing').first().waitFor({ state: 'attached' });
  const before = await page.evaluate(() => ({
    heap: performance.memory.usedJSHeapSize,
    tasks: globalThis.tasks.splice(0),
  }));
  await page
    .getByText('Complete', { exact: true })
    .first()
    .waitFor({ timeout: (SECONDS + 60) * 1_000 });
  const after = await page.evaluate(() => ({ heap: performance.memory.usedJSHeapSize, tasks: globalThis.tasks }));
  const shown = await page.evaluate(() => document.querySelectorAll('article h4').length);
  const { metrics } = await cdp.send('Performance.getMetrics');
  const seconds = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  const long = after.tasks.filter((duration) => duration > LONG_TASK_MS);
  console.log(`${STREAMS} streams, ${TOKENS_A_SECOND} tokens/s each, ${SECONDS} s; ${shown} headings shown at the end`);
  console.log(`tasks over ${LONG_TASK_MS} ms: ${long.length}; longest: ${Math.max(0, ...after.tasks).toFixed(0)} ms`);
  console.log(
    `before the first text: ${before.tasks.length} long, longest ${Math.max(0, ...before.tasks).toFixed(0)} ms`,
  );
  console.log(`heap: +${((after.heap - before.heap) / 2 ** 20).toFixed(1)} MB`);
  console.log(
    `main thread: ${seconds('TaskDuration').toFixed(1)} s, of it scripts ${seconds('ScriptDuration').toFixed(1)} s, layout ${seconds('LayoutDuration').toFixed(1)} s, styles ${seconds('RecalcStyleDuration').toFixed(1)} s`,
  );
  await browser.close();
  server.close();
});
