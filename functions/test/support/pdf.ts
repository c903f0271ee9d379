import { deflateSync } from 'node:zlib';

/** A page's content: a stream as it lies in the file, and the entries of its dictionary beside the length. */
interface Content {
  readonly stream: Buffer;
  readonly entries?: string;
}

/** A PDF of one page a text; `encrypt` makes it ask for a password. */
export function pdfOf(pages: readonly string[], { encrypt = false } = {}): Buffer {
  const contents = pages.map((text) => ({
    stream: Buffer.from(text === '' ? '' : `BT /F1 18 Tf 20 100 Td (${text}) Tj ET`),
  }));
  const word = 'A'.repeat(64);
  const id = `/ID [<${word.slice(32)}> <${word.slice(32)}>]`;
  const lock = `${id} /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${word}> /U <${word}> >>`;
  return write(contents, encrypt ? lock : '');
}

/** A small PDF whose one page inflates to `megabytes` of text. */
export function bombPdf(megabytes: number): Buffer {
  const line = `BT /F1 1 Tf (${'a'.repeat(44)}) Tj ET\n`;
  const stream = deflateSync(Buffer.from(line.repeat(Math.ceil((megabytes * 1_000_000) / line.length))));
  return write([{ stream, entries: '/Filter /FlateDecode' }], '');
}

function write(contents: readonly Content[], trailer: string): Buffer {
  const kids = contents.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap(({ stream, entries = '' }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 144] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} ${entries} >>\nstream\n${stream.toString('latin1')}\nendstream`,
    ]),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const size = objects.length + 1;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, 'latin1');
}
