import { setTimeout as pause } from 'node:timers/promises';

const USERS_AT_ONCE = 4;
const PAUSE_MS = 100;

/** Users who ask small questions until all is over; the statuses they got meanwhile. */
export function askBeside(baseUrl: string, keys: readonly string[], body: string) {
  const statuses = new Set<number>();
  let asked = 0;
  let isOver = false;
  const ask = async (): Promise<void> => {
    while (!isOver) {
      asked += 1;
      const headers = { authorization: `Bearer ${keys[asked % keys.length]}` };
      const reply = await fetch(`${baseUrl}/v1/chat/completions`, { method: 'POST', headers, body });
      await reply.text();
      statuses.add(reply.status);
      await pause(PAUSE_MS);
    }
  };
  const users = Promise.all(Array.from({ length: USERS_AT_ONCE }, ask));
  return {
    /** Resolves with the statuses once the questions under way are answered. */
    end: async (): Promise<number[]> => {
      isOver = true;
      await users;
      return [...statuses];
    },
  };
}
