import { createLimiter } from '../../src/access/limiter';
import { playable, wholeReply } from '../../src/api/answer/replies';
import { openPlaygroundRun, PlaygroundRequest } from '../../src/api/playground/playground';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { systemClock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import { estimatePromptTokens } from '../../src/models/estimate-tokens';
import { createServices } from '../../src/services';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { NO_TRACE } from '../support/request-scope';
import { scriptedModels } from '../support/scripted-models';
import { textOfTokens } from '../support/text-of-tokens';
import { onLine, print } from '../support/worker-lines';

/**
 * One process with the dashboard's playground: `node worker.js <emulator host> <embedded|firestore> <where>`. It prints
 * `ready`; for each line `run <user> <request id>` it runs three participants and an arbiter of the platform, whose
 * replies are twice as long as an ordinary one and take 0.3 s, and prints `<request id> <outcome> <tokens>`: `ok`,
 * `failed`, or the code of the refusal. With `hang` its models never answer: it prints `<request id> hangs`.
 */
const [, , host = '', kind = '', where = ''] = process.argv;
const REPLY_TOKENS = 1_200;
const PROMPT_TOKENS = 3_000;

const isFirestore = kind === 'firestore';
if (isFirestore) process.env['FIRESTORE_EMULATOR_HOST'] = host;
let hanging = false;
const clock = systemClock;
const scripted = scriptedModels(clock, ({ prompt, purpose }) => {
  if (hanging) print(`${purpose} hangs`);
  return {
    text: 'A berry.',
    delayMs: hanging ? 600_000 : 300,
    usage: { promptTokens: estimatePromptTokens(prompt), completionTokens: REPLY_TOKENS },
  };
});
const config = readConfig({
  STORE: kind,
  DATA_DIR: where,
  GCLOUD_PROJECT: where,
  KEY_PEPPER: 'test-pepper',
  ...(isFirestore && { FIRESTORE_EMULATOR_HOST: host }),
});
const { account } = createServices(config, {
  clock,
  log: createLog('error', (line) => process.stderr.write(`${line}\n`)),
  providers: { scripted },
  ...(isFirestore && { store: openFirestoreStore({ projectId: where, clock }) }),
});
/** The grant is to be what stops them. */
const limiter = createLimiter(account.store, { name: 'byok', max: 1_000, windowMs: 60_000 }, clock);
const fields = PlaygroundRequest.parse({
  model: 'demo-ada',
  messages: [{ role: 'user', content: textOfTokens(PROMPT_TOKENS) }],
  ai_ensemble: { models: ['demo-ada', 'demo-blaise', 'demo-curie'] },
});

async function run(userId: string, id: string): Promise<void> {
  const { signal: clientGone } = new AbortController();
  const opened = await openPlaygroundRun(
    { ...account, limiter },
    { id, userId, startedAtMs: clock.nowMs(), fields, clientGone, trace: NO_TRACE },
  );
  if (isRefusal(opened)) return print(`${id} ${opened.code} 0`);
  const ended = await wholeReply(playable(opened), () => ({}));
  const { promptTokens, completionTokens } = opened.ledger.totals();
  print(`${id} ${isRefusal(ended) ? 'failed' : 'ok'} ${promptTokens + completionTokens}`);
}

void account.store.findRecord('warm-up').then(() => print('ready'));
// The clock's timers keep no process alive.
setInterval(() => {}, 60_000);
onLine((line) => {
  const [word, userId = '', requestId = ''] = line.split(' ');
  hanging = word === 'hang';
  void run(userId, requestId);
});
