import { type Shown, shownTo } from '../../support/played-run';
import type { ReadTrace, SeenText, TracedCall } from '../../support/read-trace';
import type { TracedRun } from './traced-run';

/** Fences that hold no text of a model. */
const QUOTED = 'requirements';
/** A title under which exactly what a seat stands for is shown. */
const WHOLE_TEXT = /^(?:[A-Z]\d?|[A-Z], .+|yours|theirs|part \d+|(?:pro|op)position \d+|expert: .+)$/;

/** Differences between the sights in the trace and the texts that the models were shown. */
export function untrueSights({ calls }: TracedRun, { started, run }: ReadTrace): string[] {
  const whoIs = new Map([...(run?.participants ?? []), ...(run ? [run.arbiter] : [])].map((seat) => [seat.seat, seat]));
  const wordsOf = (seat: string): string => /^zq-(.+)-70b$/.exec(whoIs.get(seat)?.modelId ?? '')?.[1] ?? seat;
  const flaws = calls.length === started.length ? [] : [`${calls.length} calls, ${started.length} told`];
  return [
    ...flaws,
    ...calls.flatMap((call, at) => {
      const told = started[at];
      if (!told) return [];
      const shown = shownTo(call).filter(({ title }) => title !== QUOTED);
      // Nobody has spoken before: what an assistant has said is the reader's own reply.
      const repairs = call.prompt.turns.some(({ role }) => role === 'assistant');
      const tells = told.saw.some(({ seat, as }) => as === 'reply' && seat === told.seat);
      const flaws = repairs === tells ? [] : [`${repairs ? 'is' : 'is not'} shown its own reply`];
      return [...flaws, ...untrueSight(told, shown, wordsOf)].map((flaw) => `${told.call}: ${flaw}`);
    }),
  ];
}

function untrueSight(told: TracedCall, shown: readonly Shown[], wordsOf: (seat: string) => string): string[] {
  const byTitle = Map.groupBy(
    told.saw.filter(({ as }) => as !== 'reply'),
    ({ as }) => as,
  );
  const titles = shown.map(({ title }) => title);
  if (titles.join() !== [...byTitle.keys()].join())
    return [`shown ${titles.join()}, told ${[...byTitle.keys()].join()}`];
  return shown.flatMap((text) => untrueText(text, { seen: byTitle.get(text.title) ?? [], told, wordsOf }));
}

function untrueText(
  { title, text }: Shown,
  { seen, told, wordsOf }: { seen: readonly SeenText[]; told: TracedCall; wordsOf: (seat: string) => string },
): string[] {
  const [one, ...others] = seen;
  const authors = new Set(seen.map(({ seat }) => wordsOf(seat)));
  const strangers = [...text.matchAll(/~([a-z]+)\.\d+~/g)]
    .map(([, who = '']) => who)
    .filter((who) => !authors.has(who));
  if (title === 'yours' && one?.seat !== told.seat) return [`is shown ${one?.seat}'s text as its own`];
  if (strangers.length > 0) return [`${title} has words of ${strangers.join()}`];
  if (told.shortened || others.length > 0) return [];
  if (WHOLE_TEXT.test(title) && text !== one?.standing)
    return [`${title} is not what ${one?.seat} stands for: ${text}`];
  return [];
}

/** The figures that a trace tells, those of the reply and those of the ledger. */
export function figuresOf({ rows, finished }: TracedRun, { spends, end }: ReadTrace) {
  const sums = (list: readonly Figures[]) => ({
    promptTokens: sumOf(list, 'promptTokens'),
    completionTokens: sumOf(list, 'completionTokens'),
    costNanoUsd: sumOf(list, 'costNanoUsd'),
  });
  return {
    told: sums(spends),
    ended: sums(end ? [end] : []),
    booked: sums(rows),
    replied: sums(finished ? [finished.totals] : [{ ...sums(rows) }]),
  };
}

interface Figures {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

function sumOf(list: readonly Figures[], field: keyof Figures): number {
  return list.reduce((sum, each) => sum + each[field], 0);
}

/** The ids of the ledger's rows that consumed something, and of the attempts that the trace tells to have. */
export function attemptsOf({ rows }: TracedRun, { spends }: ReadTrace) {
  const consumes = ({ promptTokens, completionTokens }: Figures): boolean => promptTokens + completionTokens > 0;
  return {
    booked: rows
      .filter(consumes)
      .map(({ callId }) => callId)
      .sort(),
    told: spends
      .filter(consumes)
      .map(({ call, attempt }) => (attempt === 1 ? call : `${call}#${attempt}`))
      .sort(),
  };
}

/** The candidates of the reply, and those that the trace amounts to; undefined where none were asked for. */
export function candidatesOf({ finished }: TracedRun, { standing, run }: ReadTrace) {
  const candidates = finished?.result.candidates;
  if (!candidates || !run) return undefined;
  const modelOf = new Map([...run.participants, run.arbiter].map(({ seat, modelId }) => [seat, modelId]));
  return {
    replied: candidates.map(({ modelId, response }) => `${modelId}: ${response}`).sort(),
    told: [...standing].map(([seat, text]) => `${modelOf.get(seat)}: ${text}`).sort(),
  };
}

/** Revisions after which the trace does not tell what their author stands for. */
export function untoldRevisions({ calls, stoodAfter }: ReadTrace): string[] {
  const revisions = [...calls.values()].filter(({ purpose, state }) => purpose === 'revise' && state === 'done');
  return revisions.map(({ call }) => call).filter((call) => !stoodAfter.has(call));
}

/** Waves that a limitation says were left out, of which the trace tells no call. */
export function untoldWaves({ calls, limitations }: ReadTrace): string[] {
  const spared = new Set([...calls.values()].map(({ state, reason }) => (state === 'spared' ? reason : undefined)));
  const reasons = limitations.map((text) => /^No .+ in round \d+: (.+)$/.exec(text)?.[1]);
  return reasons.filter((reason) => reason !== undefined && !spared.has(reason)) as string[];
}
