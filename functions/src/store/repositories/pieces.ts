import type { Documents, Ref } from '../documents';

/** A document of Firestore holds at most 1 MiB. */
const PIECE_BYTES_MAX = 900_000;

/** One document of several that hold bytes. */
export interface StoredPiece {
  readonly bytes: Uint8Array;
  readonly expireAt: number;
}

/** Bytes cut into pieces, one at least, that fit a document each. */
export function piecesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.max(1, Math.ceil(bytes.length / PIECE_BYTES_MAX)) }, (_, index) =>
    bytes.subarray(index * PIECE_BYTES_MAX, (index + 1) * PIECE_BYTES_MAX),
  );
}

export async function readPieces(
  documents: Documents,
  name: string,
  refs: readonly Ref<StoredPiece>[],
): Promise<Uint8Array> {
  const pieces = await documents.get(name, refs);
  return Buffer.concat(pieces.map(({ fields }) => fields?.bytes ?? Buffer.alloc(0)));
}
