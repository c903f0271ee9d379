import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The recording that README.md shows: drawn from what was recorded, readable everywhere, and of the program it shows. */

const ROOT = join(__dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'docs', 'recording');
const LARGEST_BYTES = 30_000;

const kept = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const SVG = kept('recording.svg');
const STILL = kept('still.svg');
const TEXT = kept('recording.txt');

interface Recording {
  readonly sections: readonly { readonly command: string; readonly events: readonly [number, string][] }[];
}

/** Draws a recording with the script of the repository, which is an ES module. */
function draw(recording: string): string[] {
  const program = `import { drawRecording, writeOutRecording } from './scripts/draw-recording.mjs';
    const recording = JSON.parse(process.argv[1]);
    console.log(JSON.stringify([
      drawRecording(recording, { moves: true }), drawRecording(recording, { moves: false }), writeOutRecording(recording),
    ]));`;
  const args = ['--input-type=module', '-e', program, recording];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: join(ROOT, 'functions'), encoding: 'utf8' }));
}

/** Every tag is closed, in the right order; throws at the first that is not. */
function assertWellFormed(xml: string): void {
  const open: string[] = [];
  for (const [, closing, name = '', ends] of xml.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (closing) expect(open.pop()).toBe(name);
    else if (!ends) open.push(name);
  }
  expect(open).toEqual([]);
  expect(xml.replaceAll(/<\/?[a-z]+[^<>]*>/g, '')).not.toMatch(/[<]|&(?!amp;|lt;|gt;)/);
}

describe('docs/recording', () => {
  it('is drawn from what was recorded', () => {
    expect(draw(kept('recording.json'))).toEqual([SVG, STILL, TEXT]);
  });

  it('shows the two programs of README.md, the second as it stands there, against the server of the first', () => {
    const { sections } = JSON.parse(kept('recording.json')) as Recording;
    expect(sections.map(({ command }) => command)).toEqual(['npm start', 'node ask.mjs']);
    const [server = '', asked = ''] = sections.map(({ events }) => events.map(([, text]) => text).join(''));
    expect(server).toContain('http://127.0.0.1:8080/v1');
    expect(asked.match(/^\[Round 1 of 1: .* are answering\]/)).not.toBeNull();
    expect(asked).toMatch(/\[.* is writing the answer\][\s\S]{100}/);
  });

  it('holds no key, and nothing of the machine it was made on', () => {
    for (const text of [SVG, STILL, TEXT, kept('recording.json')])
      expect(text).not.toMatch(/sk-\w+_\w|\/home\/|\/tmp\/|\/root/);
  });

  it.each([
    ['recording.svg', SVG],
    ['still.svg', STILL],
  ])('%s is small, well formed, readable in the dark and aloud, and asks nobody for anything', (_, svg) => {
    expect(Buffer.byteLength(svg)).toBeLessThan(LARGEST_BYTES);
    assertWellFormed(svg);
    const drawing = svg.replace(/<desc.*?<\/desc>/s, '').replaceAll(/<text.*<\/text>/g, '');
    expect(drawing.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|url\(|@import|href|<script/);
    expect(svg).toContain('prefers-color-scheme:dark');
    const [, labels = ''] = /role="img" aria-labelledby="([^"]+)"/.exec(svg) ?? [];
    for (const id of labels.split(' ')) expect(svg).toContain(`id="${id}"`);
  });

  it('does not move for those who ask for less motion, and is described where it is shown', () => {
    expect(SVG).toContain('@media (prefers-reduced-motion:reduce){text{animation:none}}');
    expect(STILL).not.toContain('animation');
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(readme).toContain('<source media="(prefers-reduced-motion: reduce)" srcset="docs/recording/still.svg">');
    expect(readme).toMatch(/<img src="docs\/recording\/recording\.svg" alt="[^"]{40,}">/);
    expect(readme).toContain('(docs/recording/recording.txt)');
  });

  it('shows markup that a program wrote as text, and wraps what is too long', () => {
    const [svg, , text] = draw(
      JSON.stringify({ columns: 10, sections: [{ command: 'x', events: [[5, '<b>&\x1b[1m12345678901']] }] }),
    );
    expect(svg).toContain('>&lt;b&gt;&amp;123456</text>');
    expect(text).toBe('$ x\n<b>&123456\n78901\n');
  });
});
