import type { AdviceStore, TurnRef } from '../../runs/advice-store';
import { type Documents, merge, write } from '../documents';
import { at } from './refs';

interface StoredAdvice {
  readonly uid: string;
  readonly advice: string;
  readonly expireAt: number;
}

/** The advice of users' turns as JSON, at `advice/{id}`. */
export function adviceRepository(documents: Documents): AdviceStore {
  return {
    findAdvice: async (turn, nowMs) => {
      const [{ fields }] = await documents.get('findAdvice', [adviceRef(turn)]);
      const isOwn = fields?.uid === turn.userId && fields.expireAt > nowMs;
      return isOwn ? JSON.parse(fields.advice) : undefined;
    },

    keepAdvice: (turn, advice, expiresAtMs) => {
      const fields = { uid: turn.userId, advice: JSON.stringify(advice), expireAt: expiresAtMs };
      return write(documents, 'keepAdvice', [merge(adviceRef(turn), fields)]);
    },
  };
}

const adviceRef = ({ id }: TurnRef) => at<StoredAdvice>('advice', id);
