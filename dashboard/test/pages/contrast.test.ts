import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';

const GROUNDS = ['ground', 'surface', 'sunken'];
/** Each colour of text, and the grounds that it stands on. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  text: [...GROUNDS, 'accent-ground', 'good-ground', 'warn-ground', 'bad-ground'],
  'text-soft': [...GROUNDS, 'accent-ground', 'bad-ground'],
  accent: [...GROUNDS, 'accent-ground', 'bad-ground'],
  'accent-strong': ['surface', 'accent-ground'],
  'on-accent': ['accent', 'accent-strong'],
  'on-bad': ['bad', 'bad-strong'],
  good: ['good-ground', 'surface'],
  warn: ['warn-ground', 'surface'],
  bad: ['bad-ground', 'surface'],
};
const TEXT_MIN = 4.5;
/** Shapes that must be told from their ground, and are no text. */
const SHAPES = ['line-strong', 'accent', ...Array.from({ length: 8 }, (_, at) => `chart-${at + 1}`)];
const SHAPE_MIN = 3;
/** Of red, green and blue together, each up to 255. */
const DISTANCE_MIN = 24;
const SEATS = 16;

describeInBrowser('the colours of the pages', (open) => {
  it.each(['light', 'dark'] as const)('are told apart by who sees little: %s', async (colorScheme) => {
    await using app = await startDashboard();
    const { page } = await open({ colorScheme });
    await page.goto(app.baseUrl);
    // Whole, for the server is closed before the page is.
    await page.getByRole('heading', { level: 1 }).waitFor();
    const texts = Object.entries(TEXTS).flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const));
    const shapes = SHAPES.map((shape) => [shape, 'surface'] as const);
    const names = [...new Set([...texts, ...shapes].flat())];
    const painted = await paintedColours(page, names);
    const ratioOf = ([one, other]: readonly [string, string]) => contrast(painted[one], painted[other]);
    expect(texts.filter((pair) => ratioOf(pair) < TEXT_MIN)).toEqual([]);
    expect(shapes.filter((pair) => ratioOf(pair) < SHAPE_MIN)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'tell up to 16 participants apart, from each other and their ground: %s',
    async (colorScheme) => {
      await using app = await startDashboard();
      const { page } = await open({ colorScheme });
      await page.goto(app.baseUrl);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const seats = await seatColours(page);
      const { surface } = await paintedColours(page, ['surface']);
      expect(seats.filter((seat) => contrast(seat, surface) < SHAPE_MIN)).toEqual([]);
      const pairs = seats.flatMap((seat, at) => seats.slice(0, at).map((other) => distance(seat, other)));
      expect(Math.min(...pairs)).toBeGreaterThan(DISTANCE_MIN);
    },
  );

  it('are told apart by the formula of WCAG', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21);
    expect(contrast([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2);
  });
});

type Colour = readonly number[];

/** Tokens as the browser paints them: red, green and blue, each up to 255. */
function paintedColours(page: Page, names: readonly string[]): Promise<Record<string, Colour>> {
  return page.evaluate((tokens) => {
    const element = document.body.appendChild(document.createElement('i'));
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    if (!canvas) throw new Error('no canvas');
    const paint = (token: string): number[] => {
      element.style.color = `var(--${token})`;
      canvas.fillStyle = getComputedStyle(element).color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    return Object.fromEntries(tokens.map((token) => [token, paint(token)]));
  }, names);
}

/** The colours of participants, as the browser paints them. */
function seatColours(page: Page): Promise<Colour[]> {
  return page.evaluate((seats) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    if (!canvas) throw new Error('no canvas');
    return Array.from({ length: seats }, (_, seat) => {
      const element = document.body.appendChild(document.createElement('i'));
      element.className = 'seat-hue';
      element.style.setProperty('--seat', String(seat));
      element.style.color = 'var(--hue)';
      canvas.fillStyle = getComputedStyle(element).color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    });
  }, SEATS);
}

function distance(one: Colour, other: Colour): number {
  return Math.hypot(...one.map((part, at) => part - (other[at] ?? 0)));
}

function contrast(one: Colour = [], other: Colour = []): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance([red = 0, green = 0, blue = 0]: Colour): number {
  const linear = (part: number): number =>
    part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
