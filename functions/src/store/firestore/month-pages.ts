import type { DocumentData, DocumentReference, DocumentSnapshot } from 'firebase-admin/firestore';
import type { UsageLine, UserMonth } from '../../usage/usage-store';
import { monthRef } from './documents';
import type { Session } from './session';

/** The map fields of lines: per model and per key. */
export type LineMap = 'm' | 'k';

/** A line on its way into a month. */
export interface Share {
  readonly map: LineMap;
  readonly key: string;
  readonly line: UsageLine;
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

/** Puts every line on its page, reading overflow pages as far as they are needed; the month itself comes first. */
export async function placeLines(
  session: Session,
  of: UserMonth,
  { base, shares }: { readonly base: DocumentSnapshot; readonly shares: readonly Share[] },
): Promise<MonthPage[]> {
  const pages = new Map([[0, new MonthPage(base)]]);
  let rest = shares;
  for (let generation = 1; ; generation += 1) {
    rest = rest.filter((share) => !pages.get(pageNumber(share, generation - 1))?.take(share));
    if (rest.length === 0) return [...pages.values()];
    const numbers = [...new Set(rest.map((share) => pageNumber(share, generation)))];
    const snapshots = await session.read(numbers.map((number) => monthRef(session.db, of, number)));
    for (const snapshot of snapshots) {
      const page = new MonthPage(snapshot);
      pages.set(page.number, page);
    }
  }
}

/**
 * Where a line may be, in order: in the month itself (page 0), then in one of the pages 1 to 16, then in one of 17 to
 * 32, and so on. A line is put on the first of these that has it already or has room for it, so finding its place takes
 * one read for most, and two for those beyond the first thousand.
 */
function pageNumber({ key }: Share, generation: number): number {
  if (generation === 0) return 0;
  const column = (Buffer.from(key, 'base64url')[11] ?? 0) % FAN_OUT;
  return 1 + (generation - 1) * FAN_OUT + column;
}

/** One document of a month as read, and the lines of this commit that go into it. */
export class MonthPage {
  readonly ref: DocumentReference;
  readonly number: number;
  readonly taken: Share[] = [];
  readonly #stored: Readonly<Record<LineMap, StoredLines>>;
  readonly #lines: Record<LineMap, number>;
  #bytes: number;

  constructor(snapshot: DocumentSnapshot) {
    const [m, k] = [storedLines(snapshot, 'm'), storedLines(snapshot, 'k')];
    const [models, keys] = [Object.values(m), Object.values(k)];
    this.ref = snapshot.ref;
    this.number = Number(snapshot.id.split('~')[1] ?? 0);
    this.#stored = { m, k };
    this.#lines = { m: models.length, k: keys.length };
    this.#bytes = [...models, ...keys].reduce((sum, line) => sum + bytesOf(line), 0);
  }

  /** A line as it is stored here, if it is. */
  stored({ map, key }: Share): DocumentData | undefined {
    return Object.hasOwn(this.#stored[map], key) ? this.#stored[map][key] : undefined;
  }

  /** Takes a line that is here already or fits; false when it belongs on a later page. */
  take(share: Share): boolean {
    if (this.taken.length >= LINES_PER_COMMIT) return false;
    if (!this.stored(share)) {
      if (this.#lines[share.map] >= LINES_MAX || this.#bytes >= BYTES_MAX) return false;
      this.#lines[share.map] += 1;
      this.#bytes += bytesOf(share.line);
    }
    this.taken.push(share);
    return true;
  }
}

type StoredLines = Readonly<Record<string, DocumentData>>;

/** The lines of one map by their keys. Decodes nothing else: there may be a thousand. */
export function storedLines(snapshot: DocumentSnapshot, map: LineMap): StoredLines {
  return snapshot.get(map) ?? {};
}

function bytesOf({ id, name }: DocumentData): number {
  return Buffer.byteLength(id) + Buffer.byteLength(name) + LINE_BYTES;
}
