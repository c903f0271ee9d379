import type { DocumentReference, DocumentSnapshot } from '@google-cloud/firestore';
import type { RunPart } from '../../runs/run-store';
import type { Session, Writes } from './session';

/** A document holds at most 1 MiB. */
const PART_BYTES_MAX = 900_000;
const DELETED_AT_ONCE = 300;

/** A part of a run, in documents below its own that expire with it. */
export interface PartToSet {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expireAt: unknown;
  /** Range of a batch of events. */
  readonly range?: Pick<RunPart, 'from' | 'to'>;
}

/** Writes a part, cut into as many documents as it takes. */
export function setPart(writes: Writes, run: DocumentReference, { name, bytes, expireAt, range }: PartToSet): void {
  const of = documentsOf(bytes);
  for (const [at, ref] of partRefs(run, name, of).entries()) {
    const piece = Buffer.from(bytes.subarray(at * PART_BYTES_MAX, (at + 1) * PART_BYTES_MAX));
    writes.set(ref, { bytes: piece, expireAt, ...(range && { ...range, of }) });
  }
}

/** Number of documents that some bytes take. */
export function documentsOf({ length }: Uint8Array): number {
  return Math.max(1, Math.ceil(length / PART_BYTES_MAX));
}

/** A part of so many documents. */
export async function readPart(
  session: Session,
  run: DocumentReference,
  { name, of }: { readonly name: string; readonly of: number },
): Promise<Uint8Array> {
  return joined(await session.read(partRefs(run, name, of)));
}

/** The name of the batch that begins at an event; names sort as the batches do. */
export function batchName(from: number): string {
  return `events-${String(from).padStart(9, '0')}`;
}

/** The batch that holds the event `at`: most are of one document. */
export async function readBatch(session: Session, run: DocumentReference, at: number): Promise<RunPart | undefined> {
  const [piece] = await session.find(run.collection('runParts').where('to', '>', at).orderBy('to').limit(1));
  if (!piece) return undefined;
  const { from, to, of, bytes } = piece.data();
  return { from, to, bytes: of === 1 ? bytes : await readPart(session, run, { name: batchName(from), of }) };
}

/** Deletes all parts of a run, some at a time. */
export async function deleteParts(session: Session, run: DocumentReference): Promise<void> {
  const some = run.collection('runParts').select().limit(DELETED_AT_ONCE);
  for (;;) {
    const found = await session.find(some);
    if (found.length === 0) return;
    await session.commit((writes) => {
      for (const { ref } of found) writes.delete(ref);
    });
  }
}

function partRefs(run: DocumentReference, name: string, of: number): DocumentReference[] {
  return Array.from({ length: of }, (_, at) => run.collection('runParts').doc(`${name}~${at}`));
}

function joined(pieces: readonly DocumentSnapshot[]): Buffer {
  return Buffer.concat(pieces.map((piece) => piece.get('bytes') ?? Buffer.alloc(0)));
}
