import { type Clock, sleep } from '../../src/lib/clock';
import type { CallListener, CallPurpose, FinishReason } from '../../src/models/model';
import { ModelFault } from '../../src/models/model-fault';
import { UPSTREAM_WORDS } from '../support/scripted-models';
import type { Reaction, ReactionKind, UpstreamCall } from './faulty-models';

const PROSE = 'A tomato is a berry, and so a fruit. Cooks call it a vegetable.';
const CHAIN = 'STEP 1: It has seeds.\nSTEP 2: So it is a fruit.\nANSWER: a fruit';

const json = (value: unknown): string => JSON.stringify(value);
const item = (n: number): object => ({ title: `Part ${n}`, task: `Say part ${n}.` });

/**
 * Replies of models in each part: the one asked for, with and without the signal to stop early, and what was not.
 * Every text has something to read.
 */
const TEXTS: Readonly<Record<CallPurpose, readonly string[]>> = {
  cast: [json({ lenses: [{ name: 'Botanist', focus: 'Seeds.' }, { name: 'Cook' }] }), PROSE, '{"lenses":[]}'],
  plan: [
    json({ items: [item(1)], checks: ['It names the seeds.'] }),
    json({ items: [item(1), item(2), item(3), item(4), item(5)] }),
    PROSE,
    '{"items":[]}',
  ],
  advise: [PROSE],
  draft: [PROSE, CHAIN, CHAIN.replace('a fruit', 'a vegetable'), 'A fruit.', `${PROSE}\n`.repeat(20)],
  revise: [
    `${PROSE} Or so.`,
    `${PROSE}\nREVISION: kept BALLOT: B > A`,
    `${PROSE} Really.\nREVISION: changed BALLOT: A`,
    'REVISION: kept',
    `${PROSE}\nDISSENT: none`,
    `${PROSE}\nSTANCE: concedes`,
    `${PROSE}\nSTANCE: holds`,
    `${CHAIN}\nCHECK: verified`,
    `${CHAIN}\nCHECK: step 2: wrong`,
    `${PROSE}\nRESPONSES\n1. Rebutted.`,
  ],
  review: [
    json({ verdict: 'approve', defects: [] }),
    json({ verdict: 'revise', defects: [{ item: 1, severity: 'major', defect: 'No seeds.' }] }),
    json({ verdict: 'revise', defects: [{ item: 'plan', severity: 'major', defect: 'No plan.' }] }),
    json({ verdict: 'revise', defects: [{ item: 'all', severity: 'minor', defect: 'Dull.' }] }),
    PROSE,
    'Approved.',
  ],
  attack: [
    json({ findings: [] }),
    json({ findings: [{ target: 'A', severity: 'critical', why: 'Wrong.' }] }),
    json({ findings: [{ severity: 'minor', why: 'Dull.' }] }),
    'I cannot help with that.',
    PROSE,
  ],
  analyse: [json({ winner: 'A', order: ['A', 'B'], rationale: 'A is right.' }), PROSE, '{}'],
  judge: [PROSE],
  answer: [PROSE, 'Yes.', `${PROSE}\n\n`.repeat(10)],
  follow_ups: [json(['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?']), PROSE, '[]'],
};

/** One of the texts for a purpose; any number names one. */
function replyText(purpose: CallPurpose, number: number): string {
  const texts = TEXTS[purpose];
  return texts[number % texts.length] ?? PROSE;
}

/** Together longer than any run. */
const DRIPS_MAX = 25;
const DRIP_GAP_MS = 30_000;

/** A reaction, the record of it, and the gateway that listens. */
interface Reacting {
  readonly reaction: Reaction;
  readonly record: UpstreamCall;
  readonly listener: CallListener;
}

/** Answers one call: what is done is told to the listener and noted in the call's record. */
export async function react(clock: Clock, { reaction, record, listener }: Reacting): Promise<FinishReason> {
  const { afterMs, pieces, gapMs, heedsAbort, fault, retryAfterSeconds, reporting } = reaction;
  const { signal, prompt } = record.call;

  const wait = async (delayMs: number): Promise<void> => {
    if (delayMs > 0) await sleep(clock, delayMs, heedsAbort ? signal : undefined);
    if (heedsAbort && signal.aborted) throw new ModelFault('aborted');
  };
  /** The upstream's own count, nothing like our estimate: more for short texts, less for long ones. */
  const report = (completionTokens = 5 + Math.ceil(record.text.length / 7)): void => {
    const promptTokens = 40 + prompt.turns.reduce((sum, turn) => sum + turn.text.length, 0);
    const bill = { promptTokens, completionTokens, cachedPromptTokens: 17, reasoningTokens: 1 };
    if (!signal.aborted) Object.assign(record, { bill, billIsFinal: true });
    listener.usage(bill);
  };
  const say = async (text: string): Promise<void> => {
    if (!signal.aborted) Object.assign(record, { text: record.text + text, billIsFinal: false });
    await listener.text(text);
    if (reporting === 'all along') report();
  };
  const sayInPieces = async (texts: readonly string[], apartMs: number): Promise<void> => {
    for (const [index, text] of texts.entries()) {
      if (index > 0) await wait(apartMs);
      await say(text);
    }
  };
  const finish = (reason: FinishReason = 'stop'): FinishReason => {
    if (reporting !== 'never') report();
    record.delivered = record.text.trim() !== '' && !signal.aborted;
    return reason;
  };
  const fail = (): never => {
    if (!signal.aborted) record.fault = fault;
    throw new ModelFault(fault, { retryAfterSeconds, cause: new Error(UPSTREAM_WORDS) });
  };
  const hang = (): Promise<never> =>
    new Promise((_, reject) => {
      if (!heedsAbort) return;
      const stop = (): void => reject(new ModelFault('aborted'));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });

  await wait(afterMs);
  if (reporting === 'prompt first') report(1);
  const text = replyText(record.purpose, reaction.words);
  const half = text.slice(0, Math.ceil(text.length / 2));
  const REACTIONS: Readonly<Record<ReactionKind, () => Promise<FinishReason>>> = {
    answers: () => sayInPieces(cut(text, pieces), gapMs).then(() => finish()),
    'is truncated': () => say(half).then(() => finish('length')),
    fails: async () => fail(),
    throws: async () => fail(),
    hangs: hang,
    'only lives': async () => {
      for (let signs = 0; signs < DRIPS_MAX; signs += 1) {
        listener.alive();
        await wait(DRIP_GAP_MS);
      }
      return hang();
    },
    'is empty': async () => finish(),
    'is blank': () => say(' \n\t ').then(() => finish()),
    'breaks off': () => say(half).then(fail),
    'goes silent': () => say(half).then(hang),
    drips: () => sayInPieces(Array<string>(DRIPS_MAX).fill('drip '), DRIP_GAP_MS).then(() => finish()),
  };
  return REACTIONS[reaction.kind]();
}

function cut(text: string, pieces: number): string[] {
  const length = Math.max(1, Math.ceil(text.length / pieces));
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}
