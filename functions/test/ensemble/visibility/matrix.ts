import { CONVERSATION_TOKENS } from './conversation';
import { readPrompt } from './read-prompt';
import type { ExpectedWave } from './setup';
import type { HeardCall } from './wave-models';

/** One line for each call, in waves: who was asked what, and whose texts it was shown. */
export type Matrix = readonly (readonly string[])[];

/** The matrix of a run as it was. The conversation, which everybody sees once, is left out of the lines. */
export function actualMatrix(waves: readonly (readonly HeardCall[])[]): Matrix {
  return waves.map((wave) =>
    wave
      .map(({ who, does, call }) => {
        const { own, others } = readPrompt(call.prompt);
        return line({ who, does, own, sees: withoutConversation(others) });
      })
      .sort(),
  );
}

/** The matrix as it is promised. */
export function expectedMatrix(waves: readonly ExpectedWave[]): Matrix {
  return waves.map(({ calls }) => calls.map(line).sort());
}

function line({ who, does, own = [], sees = [] }: ExpectedWave['calls'][number]): string {
  return `${who} ${does} | own: ${[...own].sort().join(' ')} | sees: ${[...sees].sort().join(' ')}`;
}

/** Without one of each; a token of the conversation that is missing or shown twice stands out. */
function withoutConversation(tokens: readonly string[]): string[] {
  const rest = [...tokens];
  for (const token of CONVERSATION_TOKENS) {
    const at = rest.indexOf(token);
    if (at < 0) rest.push(`NOT ${token}`);
    else rest.splice(at, 1);
  }
  return rest;
}
