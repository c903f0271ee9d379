import { setTimeout as sleep } from 'node:timers/promises';
import { treeOf } from '../process-tree.mjs';
import { allQuiet } from './all-quiet.mjs';
import { inTurn } from './turns.mjs';

const IDLE_MS = 2_000;

/**
 * From the start to the end of the first answer, and the memory 2 s later, once no server works any more, of all processes
 * together: by the command that its documents give, and of the server without what starts it.
 */
export const firstAnswer = {
  figures: [
    { key: 'documentedMs', title: 'start to first answer, documented command', unit: 'ms', target: { atMost: 700 } },
    { key: 'aloneMs', title: 'start to first answer, the server alone', unit: 'ms' },
    { key: 'documentedMib', title: 'idle memory, documented command', unit: 'MiB', target: { atMost: 110 } },
    { key: 'aloneMib', title: 'idle memory, the server alone', unit: 'MiB' },
  ],
  async once(candidates, { round, begun }) {
    const documented = await started(candidates, { round, begun, form: 'documented' });
    const twofold = candidates.filter(({ forms, fault }) => forms.alone !== undefined && fault === undefined);
    const alone = await started(twofold, { round, begun, form: 'alone' });
    return Object.fromEntries(
      Object.entries(documented).map(([name, one]) => {
        const { ms, mib } = alone[name] ?? one;
        return [name, { documentedMs: one.ms, documentedMib: one.mib, aloneMs: ms, aloneMib: mib }];
      }),
    );
  },
};

async function started(candidates, { round, begun, form }) {
  const running = {};
  try {
    await inTurn(candidates, round, async (one) => {
      running[one.name] = await begun(one.forms[form]);
    });
    await sleep(IDLE_MS);
    await allQuiet(Object.values(running));
    return await inTurn(candidates, round, ({ name }) => {
      const { startMs, pid } = running[name];
      return { ms: startMs, mib: treeOf(pid).residentMib() };
    });
  } finally {
    await Promise.all(Object.values(running).map(({ stop }) => stop()));
  }
}
