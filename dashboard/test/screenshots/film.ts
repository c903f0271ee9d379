import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** Pictures closer together than this are one. */
const FRAME_MS = 200;
/** The time that the last picture stays before the film begins anew. */
const LAST_MS = 3_000;
const QUALITY = 88;
const EFFORT = 6;

interface Frame {
  readonly png: Buffer;
  readonly atMs: number;
}

/** Films a page while `work` is done, at its real speed, as an animated WebP that begins anew at its end. */
export async function film(page: Page, work: () => Promise<void>): Promise<Buffer> {
  const frames: Frame[] = [];
  const session = await page.context().newCDPSession(page);
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const atMs = (metadata.timestamp ?? 0) * 1_000;
    const last = frames.at(-1);
    const frame = { png: Buffer.from(data, 'base64'), atMs: last && atMs - last.atMs < FRAME_MS ? last.atMs : atMs };
    if (frame.atMs === last?.atMs) frames[frames.length - 1] = frame;
    else frames.push(frame);
    void session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Page.startScreencast', { format: 'png' });
  await work();
  await session.send('Page.stopScreencast');
  const delay = frames.map(({ atMs }, at) => Math.round((frames[at + 1]?.atMs ?? atMs + LAST_MS) - atMs));
  return sharp(
    frames.map(({ png }) => png),
    { join: { animated: true } },
  )
    .webp({ delay, loop: 0, quality: QUALITY, effort: EFFORT, minSize: true })
    .toBuffer();
}
