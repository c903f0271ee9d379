/**
 * Lets every contender do one piece of work, one after the other, another one first with every turn. Resolves with what
 * each gave, by name. A peer that fails is out from then on, with its `fault`, and that is
 * said; any other failure ends the run.
 */
export async function inTurn(contenders, turn, work) {
  const results = {};
  for (const one of rotated(contenders, turn)) {
    if (one.fault !== undefined) continue;
    try {
      results[one.name] = await work(one);
    } catch (error) {
      if (!one.isPeer) throw new Error(`${one.name}: ${error.message}\n${one.output?.() ?? ''}`, { cause: error });
      one.fault = error.message.split('\n')[0];
      console.error(`  ${one.title} is out of it: ${one.fault}`);
    }
  }
  return results;
}

/** Many pieces of work in blocks of ten, contender after contender; resolves with the results of each, by name. */
export async function inBlocks(contenders, { blocks }, work) {
  const EACH = 10;
  const collected = Object.fromEntries(contenders.map(({ name }) => [name, []]));
  for (let block = 0; block < blocks; block += 1) {
    await inTurn(contenders, block, async (one) => {
      for (let index = 0; index < EACH; index += 1) collected[one.name].push(await work(one));
    });
  }
  const whole = contenders.filter(({ fault }) => fault === undefined);
  return Object.fromEntries(whole.map(({ name }) => [name, collected[name]]));
}

function rotated(list, turn) {
  const at = turn % Math.max(1, list.length);
  return [...list.slice(at), ...list.slice(0, at)];
}
