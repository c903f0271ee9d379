import type { DocumentSnapshot } from 'firebase-admin/firestore';
import type { LineConsumption } from '../../usage/consumption';
import { type Increment, type LineMap, lineAdditions, linesOf, type StoredLines } from './month-document';
import { mapKey } from './refs';

/** A line on its way into a month. */
export interface Share {
  readonly map: LineMap;
  readonly key: string;
  readonly line: LineConsumption;
}

/** Lines one map of one document takes. */
const LINES_MAX = 1_000;
/** Beyond this a document takes no new lines, however few it has; Firestore's limit is 1 MiB. */
const BYTES_MAX = 600 * 1024;
/** What a line takes besides its texts: four numbers, field names, its key. */
const LINE_BYTES = 120;
/** Lines one commit touches in one document: four increments each, of which Firestore allows 500 per document. */
const LINES_PER_COMMIT = 100;
/** Overflow documents of one generation; a line's hash chooses among them. */
const FAN_OUT = 16;

/** One line's way into the month. */
export function shareOf(map: LineMap, line: LineConsumption): Share {
  return { map, key: mapKey(line.id), line };
}

/**
 * Where a line may be, in order: in the month itself (page 0), then in one of the pages 1 to 16, then in one of 17 to
 * 32, and so on. A line is put on the first of these that has it already or has room for it, so finding its place takes
 * one read for most, and two for those beyond the first thousand.
 */
export function pageNumber(share: Share, generation: number): number {
  if (generation === 0) return 0;
  const column = (Buffer.from(share.key, 'base64url')[11] ?? 0) % FAN_OUT;
  return 1 + (generation - 1) * FAN_OUT + column;
}

/** One document of a month as read, and the lines of this commit that go into it. */
export class MonthPage {
  readonly number: number;
  readonly #stored: Readonly<Record<LineMap, StoredLines>>;
  readonly #lines: Record<LineMap, number>;
  readonly #shares: Share[] = [];
  #bytes: number;

  constructor(number: number, snapshot: DocumentSnapshot | undefined) {
    const [m, k] = [linesOf(snapshot, 'm'), linesOf(snapshot, 'k')];
    const lines = [...Object.values(m), ...Object.values(k)];
    this.number = number;
    this.#stored = { m, k };
    this.#lines = { m: Object.keys(m).length, k: Object.keys(k).length };
    this.#bytes = lines.reduce((sum, line) => sum + bytesOf(line), 0);
  }

  /** Takes a line that is here already or fits; false when it belongs on a later page. */
  take(share: Share): boolean {
    const { map, key, line } = share;
    if (this.#shares.length >= LINES_PER_COMMIT) return false;
    if (!Object.hasOwn(this.#stored[map], key)) {
      if (this.#lines[map] >= LINES_MAX || this.#bytes >= BYTES_MAX) return false;
      this.#lines[map] += 1;
      this.#bytes += bytesOf(line);
    }
    this.#shares.push(share);
    return true;
  }

  get isEmpty(): boolean {
    return this.#shares.length === 0;
  }

  /** The lines as fields to be merged into the document. Throws a RangeError when a sum would no longer be exact. */
  additions(increment: Increment): Partial<Record<LineMap, Record<string, unknown>>> {
    const fields: Partial<Record<LineMap, Record<string, unknown>>> = {};
    for (const { map, key, line } of this.#shares) {
      const lines = fields[map] ?? {};
      lines[key] = lineAdditions(this.#stored[map][key], line, increment);
      fields[map] = lines;
    }
    return fields;
  }
}

function bytesOf({ id, name }: { readonly id: string; readonly name: string }): number {
  return Buffer.byteLength(id) + Buffer.byteLength(name) + LINE_BYTES;
}
