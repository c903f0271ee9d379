import type { TurnRef, TurnStore } from '../../runs/turn-store';
import { type Documents, merge, write } from '../documents';
import { at } from './refs';

interface StoredTurn {
  readonly uid: string;
  /** JSON. */
  readonly kept: string;
  readonly expireAt: number;
}

/** Turns of users, at `turns/{id}`. */
export function turnRepository(documents: Documents): TurnStore {
  return {
    findTurn: async (turn, nowMs) => {
      const [{ fields }] = await documents.get('findTurn', [turnRef(turn)]);
      return fields?.uid === turn.userId && fields.expireAt > nowMs ? JSON.parse(fields.kept) : undefined;
    },

    keepTurn: (turn, kept, expireAt) =>
      write(documents, 'keepTurn', [merge(turnRef(turn), { uid: turn.userId, kept: JSON.stringify(kept), expireAt })]),
  };
}

const turnRef = ({ id }: TurnRef) => at<StoredTurn>('turns', id);
