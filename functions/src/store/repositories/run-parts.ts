import type { RunPart, RunRef } from '../../runs/run-store';
import { type Documents, erase, merge, type Ref, type Write } from '../documents';
import { at } from './refs';

/** A document of Firestore holds at most 1 MiB. */
const PIECE_BYTES_MAX = 900_000;
/** Pieces deleted in one commit: what is deleted is overwritten, and other writers wait for it. */
const DELETED_AT_ONCE = 10;

/** Name of a part, and the number of its documents. */
export interface PartPlace {
  readonly name: string;
  readonly of: number;
}

/** One document of a part; those of events tell which ones. */
interface StoredPiece {
  readonly bytes: Uint8Array;
  readonly expireAt: number;
  readonly from?: number;
  readonly to?: number;
  readonly of?: number;
}

export function runRef<F extends object>({ userId, runId }: RunRef): Ref<F> {
  return at('users', userId, 'runs', runId);
}

/** A part of so many bytes. */
export function placeOf(name: string, { length }: Uint8Array): PartPlace {
  return { name, of: Math.max(1, Math.ceil(length / PIECE_BYTES_MAX)) };
}

/** Writes a part, cut into as many documents as it takes, below the run that it expires with. */
export function partWrites(run: RunRef, place: PartPlace, part: Omit<StoredPiece, 'of'>): Write[] {
  const { bytes, ...fields } = part;
  return pieceRefs(run, place).map((ref, index) => {
    const piece = bytes.subarray(index * PIECE_BYTES_MAX, (index + 1) * PIECE_BYTES_MAX);
    return merge(ref, { ...fields, ...('from' in fields && { of: place.of }), bytes: piece });
  });
}

/** A batch of events: names sort as the batches do. */
export function eventsPlace(from: number, bytes: Uint8Array): PartPlace {
  return placeOf(batchName(from), bytes);
}

export async function readPieces(documents: Documents, run: RunRef, place: PartPlace): Promise<Uint8Array> {
  const pieces = await documents.get('readPart', pieceRefs(run, place));
  return Buffer.concat(pieces.map(({ fields }) => fields?.bytes ?? Buffer.alloc(0)));
}

/** The batch that holds the event `place`: most are of one document. */
export async function readEvents(documents: Documents, run: RunRef, place: number): Promise<RunPart | undefined> {
  const query = { ...partsOf(run), where: [['to', '>', place]], orderBy: 'to', max: 1 } as const;
  const [piece] = await documents.find<StoredPiece>('readPart', query);
  if (!piece?.fields) return undefined;
  const { from = 0, to = 0, of = 1, bytes } = piece.fields;
  return { from, to, bytes: of === 1 ? bytes : await readPieces(documents, run, { name: batchName(from), of }) };
}

/** Deletes a run that is hidden, after its parts. */
export async function removeRun(documents: Documents, run: RunRef): Promise<void> {
  for (;;) {
    const parts = await documents.find('deleteRuns', { ...partsOf(run), max: DELETED_AT_ONCE, select: [] });
    const writes = parts.length > 0 ? parts.map(({ ref }) => erase(ref)) : [erase(runRef(run))];
    await documents.change('deleteRuns', { read: [], decide: () => ({ result: undefined, writes }) });
    if (parts.length === 0) return;
  }
}

const partsOf = (run: RunRef) => ({ collection: 'runParts', below: runRef(run) }) as const;

function batchName(from: number): string {
  return `events-${String(from).padStart(9, '0')}`;
}

function pieceRefs({ userId, runId }: RunRef, { name, of }: PartPlace): Ref<StoredPiece>[] {
  return Array.from({ length: of }, (_, index) => at('users', userId, 'runs', runId, 'runParts', `${name}~${index}`));
}
