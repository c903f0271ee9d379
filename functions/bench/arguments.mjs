import { parseArgs } from 'node:util';

const ROUNDS_USUAL = 4;
const ROUNDS_MAX = 100;

/**
 * What a run is asked for: which measures by name (all where none is named), how many rounds of those from outside, and
 * whether gateways of others are measured too. Or what is wrong with it, as `fault`.
 */
export function readArguments(args, known) {
  const options = {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: `${ROUNDS_USUAL}` },
    peers: { type: 'boolean', default: false },
  };
  try {
    const { only = known, rounds, peers } = parseArgs({ args, options }).values;
    const unknown = only.find((name) => !known.includes(name));
    if (unknown !== undefined) return { fault: `no measure named ${unknown}: choose from ${known.join(', ')}` };
    if (!/^[1-9]\d*$/.test(rounds) || Number(rounds) > ROUNDS_MAX)
      return { fault: `--rounds takes a whole number from 1 to ${ROUNDS_MAX}, not ${rounds}` };
    return { names: [...new Set(only)], roundsAsked: Number(rounds), withPeers: peers };
  } catch (error) {
    return { fault: error.message };
  }
}
