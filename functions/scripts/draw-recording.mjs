// A recorded terminal as a picture that moves once, and as plain text.

const FONT_PX = 13;
const CELL_PX = FONT_PX * 0.6;
const LINE_PX = 19;
const MARGIN_PX = 20;
/** What a person needs to type a character, and to look before the next command. */
const TYPING_MS = 40;
const READING_MS = 1_200;
/** Silence beyond this is left out: a busy machine, an installation. */
const LONGEST_SILENCE_MS = 1_500;

const STYLE = `
svg{color-scheme:light dark}
.page{fill:#f6f8fa;stroke:#d1d9e0}
text{font:${FONT_PX}px ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace;fill:#1f2328;white-space:pre}
.command{font-weight:bold}
.status{fill:#59636e}
@media (prefers-color-scheme:dark){.page{fill:#0d1117;stroke:#3d444d}text{fill:#f0f6fc}.status{fill:#9198a1}}`;
const MOTION = `
text{animation:write 1ms linear both}
@keyframes write{from{clip-path:inset(-10% 100% -10% 0)}to{clip-path:inset(-10% -2% -10% 0)}}
@media (prefers-reduced-motion:reduce){text{animation:none}}`;

/**
 * An SVG that plays the recording once, at its own pace but for long silences, and then stays as it is; a screen reader gets
 * the text. Who asks for less motion sees its end at once. Browsers do not tell an image in a page of that wish: for them
 * there is the picture without motion.
 */
export function drawRecording(recording, { moves }) {
  const lines = linesOf(recording);
  const width = Math.ceil(recording.columns * CELL_PX + 2 * MARGIN_PX);
  const height = lines.length * LINE_PX + 2 * MARGIN_PX;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" xml:space="preserve" role="img" aria-labelledby="title text">
<title id="title">A terminal with ${recording.sections.map(({ command }) => command).join(', then ')}</title>
<desc id="text">${escaped(writeOutRecording(recording))}</desc>
<style>${STYLE}${moves ? MOTION : ''}
</style>
<rect class="page" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6"/>
${lines.map((line, index) => drawLine(line, { index, moves })).join('\n')}
</svg>
`;
}

/** The recording as a terminal would hold it at the end. */
export function writeOutRecording(recording) {
  return `${linesOf(recording)
    .map(({ text }) => text)
    .join('\n')}\n`;
}

function drawLine({ kind, text, fromMs, toMs }, { index, moves }) {
  const y = MARGIN_PX + (index + 0.75) * LINE_PX;
  const timing = `animation-delay:${fromMs}ms;animation-duration:${Math.max(1, toMs - fromMs)}ms`;
  return `<text class="${kind}" x="${MARGIN_PX}" y="${y}"${moves ? ` style="${timing}"` : ''}>${escaped(text)}</text>`;
}

/** All lines of the picture, each with the time at which it begins and ends. */
function linesOf({ columns, sections }) {
  const lines = [];
  let nowMs = 0;
  for (const { command, events } of sections) {
    if (lines.length > 0) lines.push({ kind: 'output', text: '', fromMs: nowMs, toMs: nowMs });
    const typedMs = nowMs + command.length * TYPING_MS;
    lines.push({ kind: 'command', text: `$ ${command}`, fromMs: nowMs, toMs: typedMs });
    const output = outputLines(withoutSilence(events), columns).map(({ fromMs, toMs, ...line }) => ({
      ...line,
      fromMs: typedMs + fromMs,
      toMs: typedMs + toMs,
    }));
    lines.push(...output);
    nowMs = Math.max(typedMs, ...output.map(({ toMs }) => toMs)) + READING_MS;
  }
  return lines;
}

function withoutSilence(events) {
  let [lastMs, leftOutMs] = [0, 0];
  return events.map(([atMs, text]) => {
    leftOutMs += Math.max(0, atMs - lastMs - LONGEST_SILENCE_MS);
    lastMs = atMs;
    return [atMs - leftOutMs, text];
  });
}

/** What a program wrote, in lines that fit, without empty ones at both ends. */
function outputLines(events, columns) {
  const lines = [{ text: '', fromMs: 0, toMs: 0 }];
  for (const [atMs, written] of events) {
    for (const [index, part] of plain(written).split('\n').entries()) {
      if (index > 0) lines.push({ text: '', fromMs: atMs, toMs: atMs });
      const line = lines.at(-1);
      if (line.text === '') line.fromMs = atMs;
      line.text += part;
      line.toMs = atMs;
    }
  }
  const isFull = ({ text }) => text.trim() !== '';
  const shown = lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
  return shown.flatMap((line) => wrapped(line, columns));
}

/** A long line as a terminal shows it; the time it took is shared out by length. */
function wrapped({ text, fromMs, toMs }, columns) {
  const kind = text.startsWith('[') ? 'status' : 'output';
  const rows = text.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
  const at = (row) =>
    Math.round(fromMs + ((toMs - fromMs) * Math.min(row * columns, text.length)) / (text.length || 1));
  return rows.map((part, row) => ({ kind, text: part, fromMs: at(row), toMs: at(row + 1) }));
}

/** Without what moves a cursor or colours a text. */
function plain(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
  return text.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]|\r/g, '');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
