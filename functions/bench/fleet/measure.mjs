import { bundle } from '../servers.mjs';
import { median } from '../stats.mjs';
import { atMost, figure } from '../table.mjs';
import { spawnNode, temporaryDirectory } from '../workspace.mjs';
import { emulatorLatencies } from './emulator.mjs';

const SEED = 20;
/** A document that is slow to write: a database in several regions, or one that is being split. */
const SLOW_COMMIT_MS = [100];
const LIMIT = 30;
const LIMIT_MOST = 1_000;
const HOT_SECONDS = 60;

const MANY = { users: 10_000, requestsPerSecond: 200, requests: 6_000, requestsAMinuteMax: LIMIT };
const BURST = { users: 1, requestsPerSecond: 'at once', requests: 60, requestsAMinuteMax: LIMIT };
const hot = (requestsPerSecond) => ({
  users: 1,
  requestsPerSecond,
  requests: requestsPerSecond * HOT_SECONDS,
  requestsAMinuteMax: LIMIT_MOST,
});
const slow = { commitMs: SLOW_COMMIT_MS };

/** What is played; with the limit of 30 a minute nobody's request may fail. */
const FLEETS = [
  ...[false, true].flatMap((areMet) =>
    [20, 200].map((instances) => ({
      ...{ title: `10,000 users${areMet ? ' met before' : ''}, 200 requests/s` },
      ...{ instances, ...MANY, areMet, mayFail: false },
    })),
  ),
  ...[20, 200].map((instances) => ({ title: 'one user, 60 requests at once', instances, ...BURST, mayFail: false })),
  ...[20, 200].map((instances) => ({
    ...{ title: 'one user, 60 requests at once, commits of 100 ms' },
    ...{ instances, ...BURST, ...slow },
  })),
  ...[1, 5, 10, 16].map((rate) => ({ title: `one user, ${rate} requests/s`, instances: 20, ...hot(rate) })),
  ...[1, 2, 5, 10].map((rate) => ({
    ...{ title: `one user, ${rate} requests/s, commits of 100 ms`, instances: 200 },
    ...{ ...hot(rate), ...slow },
  })),
];

/**
 * Fleets of instances before one Firestore, in a simulation with the service's own code: how long admission takes where
 * many users ask, and what becomes of the requests of one whose documents all instances write.
 */
export async function fleet() {
  const { isMeasured, ...latencies } = await emulatorLatencies(temporaryDirectory());
  const script = await bundle('fleet/play-one', temporaryDirectory());
  const [readMs, commitMs] = [latencies.readMs, latencies.commitMs].map(median);
  const rows = [
    {
      measure: `beside the emulator${isMeasured ? '' : ' (known, none is here)'}: a read, a commit, median`,
      ours: `${figure(readMs, 'ms')}, ${figure(commitMs, 'ms')}`,
    },
  ];
  for (const { title, mayFail = true, ...plan } of FLEETS) {
    const figures = await played(script, { seed: SEED, ...latencies, ...plan });
    rows.push({
      measure: `${plan.instances} instances, ${title}: admission p50, p99`,
      ...rowOf(figures),
      ...(!mayFail && atMost(0, figures.failed, 'failed')),
    });
  }
  return rows;
}

async function played(script, plan) {
  const program = spawnNode([script], { FLEET: JSON.stringify(plan) });
  if ((await program.gone) !== 0) throw new Error(program.output());
  return JSON.parse(program.output());
}

function rowOf({ p50Ms, p99Ms, admitted, denied, failed, refusedCommits, unmet }) {
  const became = [`${admitted} in`, `${denied} denied`, `${failed} failed`].join(', ');
  const again = `${figure(refusedCommits)} commits each in vain`;
  return {
    ours: `${figure(p50Ms)}, ${figure(p99Ms, 'ms')}`,
    change: `${became}; ${again}; ${figure(unmet * 100)} % not met before`,
  };
}
