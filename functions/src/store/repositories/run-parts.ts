import type { RunPart, RunRef } from '../../runs/run-store';
import { type Documents, erase, merge, type Ref, type Write, write } from '../documents';
import { piecesOf, readPieces, type StoredPiece } from './pieces';
import { at } from './refs';

/** Pieces deleted in one commit: what is deleted is overwritten, and other writers wait for it. */
const DELETED_AT_ONCE = 10;

/** Name of a part, and the number of its documents. */
export interface PartPlace {
  readonly name: string;
  readonly of: number;
}

/** A piece of a part; one of events tells of which ones, and of how many documents. */
interface StoredPart extends StoredPiece {
  readonly from?: number;
  readonly to?: number;
  readonly of?: number;
}

export function runRef<F extends object>({ userId, runId }: RunRef): Ref<F> {
  return at('users', userId, 'runs', runId);
}

/** A part of these bytes. */
export function placeOf(name: string, bytes: Uint8Array): PartPlace {
  return { name, of: piecesOf(bytes).length };
}

/** Writes a part, cut into as many documents as it takes, below the run that it expires with. */
export function partWrites(run: RunRef, place: PartPlace, { bytes, ...fields }: StoredPart): Write[] {
  const pieces = piecesOf(bytes);
  return pieceRefs(run, place).map((ref, index) =>
    merge(ref, { ...fields, ...('from' in fields && { of: place.of }), bytes: pieces[index] }),
  );
}

/** A batch of events: names sort as the batches do. */
export function eventsPlace(from: number, bytes: Uint8Array): PartPlace {
  return placeOf(batchName(from), bytes);
}

export function readPlace(documents: Documents, run: RunRef, place: PartPlace): Promise<Uint8Array> {
  return readPieces(documents, 'readPart', pieceRefs(run, place));
}

/** The batch that holds the event `place`: most are of one document. */
export async function readEvents(documents: Documents, run: RunRef, place: number): Promise<RunPart | undefined> {
  const query = { ...partsOf(run), where: [['to', '>', place]], orderBy: 'to', max: 1 } as const;
  const [piece] = await documents.find<StoredPart>('readPart', query);
  if (!piece?.fields) return undefined;
  const { from = 0, to = 0, of = 1, bytes } = piece.fields;
  return { from, to, bytes: of === 1 ? bytes : await readPlace(documents, run, { name: batchName(from), of }) };
}

/** Deletes a run that is hidden, after its parts. */
export async function removeRun(documents: Documents, run: RunRef): Promise<void> {
  for (;;) {
    const parts = await documents.find('deleteRuns', { ...partsOf(run), max: DELETED_AT_ONCE, select: [] });
    await write(documents, 'deleteRuns', parts.length > 0 ? parts.map(({ ref }) => erase(ref)) : [erase(runRef(run))]);
    if (parts.length === 0) return;
  }
}

const partsOf = (run: RunRef) => ({ collection: 'runParts', below: runRef(run) }) as const;

function batchName(from: number): string {
  return `events-${String(from).padStart(9, '0')}`;
}

function pieceRefs({ userId, runId }: RunRef, { name, of }: PartPlace): Ref<StoredPart>[] {
  return Array.from({ length: of }, (_, index) => at('users', userId, 'runs', runId, 'runParts', `${name}~${index}`));
}
