import { ask, chat } from '../../load.mjs';
import { median } from '../../stats.mjs';
import { costOf, ownStore, withCountedServer } from './counted-server.mjs';

const MODEL = 'fake-prose-0ms';
const USERS = 300;
const ROUNDS = 3;
const REQUESTS = 30;
const TURN_CHARACTERS = 200;
const PANEL = [MODEL, MODEL, MODEL];

/** What of a request is made larger, and the request of each size. */
export const REQUEST_CURVES = {
  participants: {
    title: 'participants 1 to 16, one round',
    unit: 'participant',
    sizes: [1, 4, 8, 12, 16],
    bodyOf: (size) => ensemble({ models: PANEL.slice(0, 1).concat(Array(size - 1).fill(MODEL)), rounds: 1 }),
  },
  rounds: {
    title: 'rounds 1 to 10, three participants',
    unit: 'round',
    sizes: [1, 3, 5, 8, 10],
    bodyOf: (size) => ensemble({ models: PANEL, rounds: size }),
  },
  history: {
    title: `history of 1 to 200 turns of ${TURN_CHARACTERS} characters, three participants`,
    unit: 'turn',
    sizes: [1, 50, 100, 150, 200],
    bodyOf: (size) => ({ ...ensemble({ models: PANEL, rounds: 1 }), messages: conversation(size) }),
  },
};

function ensemble(options) {
  return chat(MODEL, { stream: true, ai_ensemble: { strategy: 'competitive_refinement', ...options } });
}

function conversation(turns) {
  const text = (turn) => `Turn ${turn} ${'says what it has to say. '.repeat(20)}`.slice(0, TURN_CHARACTERS);
  const history = Array.from({ length: turns }, (_, turn) => ({
    role: (turns - turn) % 2 === 0 ? 'user' : 'assistant',
    content: text(turn),
  }));
  return [...history, { role: 'user', content: 'Say something short.' }];
}

/** By curve its points: the size, and what a request of it takes at the median of the rounds. */
export async function requestCurves(bench) {
  return withCountedServer(await ownStore(bench, USERS), async ({ server, as, keys }) => {
    const to = as(keys);
    const curves = {};
    for (const [name, { sizes, bodyOf }] of Object.entries(REQUEST_CURVES)) {
      const once = (size) => costOf(server, REQUESTS, () => ask(to, bodyOf(size)));
      for (const size of sizes) await once(size);
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const costs = [];
        for (const size of sizes) costs.push(await once(size));
        rounds.push(costs);
      }
      const middle = (at, key) => median(rounds.map((costs) => costs[at][key]));
      curves[name] = sizes.map((size, at) => ({ size, cpuMs: middle(at, 'cpuMs'), takenKib: middle(at, 'takenKib') }));
    }
    return curves;
  });
}
