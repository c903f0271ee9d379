import { UPSTREAM_WORDS } from '../support/scripted-models';
import { type WireForm, wireEvents } from '../support/wires';
import type { UpstreamCall } from './faulty-models';
import type { ScheduleRun } from './run-schedule';
import { FAULT_KINDS, type Schedule } from './schedule';
import type { ScheduledPanel } from './scheduled-panel';
import type { Exchange } from './virtual-service';

export const HARD_STOP_MS = 525_000;
const HEARTBEAT_MS = 10_000;

/** Promises that one run of the kernel broke, in words. */
export function violations(schedule: Schedule, played: ScheduleRun): string[] {
  const { flaws, outcome, elapsedMs, content } = played;
  const found = [...flaws];
  const left = hasLeft(schedule, elapsedMs);
  const endsAtMs = left ? (schedule.leavesAfterMs ?? 0) + schedule.ledgerLatencyMs : HARD_STOP_MS;
  if (elapsedMs > endsAtMs) found.push(`ended after ${elapsedMs} ms`);
  if (outcome.ok) return content.trim() === '' ? [...found, 'an answer without content'] : found;
  const { code, publicText } = outcome.fault;
  if (code !== 'models_failed' && code !== 'models_refused') found.push(`${code}: ${outcome.fault.cause}`);
  if (left) return found;
  if (isDue(schedule, { ...played, shown: content })) found.push(`no answer: ${publicText}`);
  return [...found, ...textViolations(publicText, played.seated)];
}

/** Result of a schedule, and the protocol that was spoken. */
interface Played {
  readonly exchange: Exchange;
  readonly wire: WireForm;
}

/** The same, as a client sees it. */
export function violationsOverHttp(schedule: Schedule, seated: ScheduledPanel, { exchange, wire }: Played): string[] {
  const { arrivalsMs, calls, pending, complete } = exchange;
  const endedMs = arrivalsMs.at(-1) ?? 0;
  const found = forgotten(calls);
  if (pending > 0) found.push(`${pending} timers left`);
  if (hasLeft(schedule, endedMs) || arrivalsMs.length === 0) return found;
  if (endedMs > HARD_STOP_MS) found.push(`ended after ${endedMs} ms`);
  if (!complete) found.push('the reply has no end');
  const { content, error, flaws } = schedule.live ? readEvents(exchange, wire) : readReply(exchange, wire);
  found.push(...flaws);
  if (error === undefined) return content.trim() === '' ? [...found, 'an answer without content'] : found;
  if (isDue(schedule, { seated, calls, shown: content })) found.push(`no answer: ${error}`);
  return [...found, ...textViolations(error, seated)];
}

export function hasLeft({ leavesAfterMs }: Schedule, elapsedMs: number): boolean {
  return leavesAfterMs !== null && leavesAfterMs <= elapsedMs;
}

/** Calls nobody waits for and nobody has given up. */
export function forgotten(calls: readonly UpstreamCall[]): string[] {
  const open = calls.filter(({ ended, call }) => !ended && !call.signal.aborted);
  return open.map(({ model, purpose, kind }) => `${model} (${purpose}, ${kind}) goes on upstream`);
}

interface Shown {
  readonly seated: ScheduledPanel;
  readonly calls: readonly UpstreamCall[];
  /** Part of an answer that the reader has seen. */
  readonly shown: string;
}

/** True if there must be an answer. */
export function isDue({ live }: Schedule, { seated: { panel, behaviours }, calls, shown }: Shown): boolean {
  const isAble = (id: string): boolean => behaviours.get(id)?.able === true;
  const contributed = calls.some(({ purpose, delivered }) => purpose === 'draft' && delivered);
  const arbiterCan = contributed && isAble(panel.arbiter.model.id);
  const someoneCan = arbiterCan || panel.participants.some(({ model }) => isAble(model.id));
  return someoneCan && !(live && shown !== '');
}

/** Causes of providers, and the gateway's of a model that it spares. */
const CAUSES = new Set([...FAULT_KINDS, 'unavailable'].map((kind) => kind.replaceAll('_', ' ')));
const OPENING =
  /^(?:Time limit reached: )?(?:All participant models failed|No model could write the answer|The answer was cut off|The model failed): (.*)$/;

/** An error names the models and why they failed, and says nothing else. */
function textViolations(text: string, { panel }: ScheduledPanel): string[] {
  const list = OPENING.exec(text)?.[1];
  if (list === undefined || text.includes(UPSTREAM_WORDS)) return [`unclear: ${text}`];
  const names = [...panel.participants, panel.arbiter].flatMap(({ label, model }) => [label, model.id]);
  return list.split(', ').flatMap((entry) => {
    const [, name = '', cause = ''] = /^(.+) \(([a-z ]+)\)$/.exec(entry) ?? [];
    return CAUSES.has(cause) && names.some((known) => name.startsWith(known)) ? [] : [`unclear: ${text}`];
  });
}

interface Reading {
  readonly content: string;
  readonly error: string | undefined;
  readonly flaws: string[];
}

function readEvents({ status, body, arrivalsMs }: Exchange, wire: WireForm): Reading {
  const flaws: string[] = [];
  const { isWhole, error, text } = wire.streamed(wireEvents(body));
  if (status !== 200) flaws.push(`status ${status}`);
  if (isWhole === (error !== undefined)) flaws.push('not one end');
  let silentMs = 0;
  for (const [index, atMs] of arrivalsMs.entries()) silentMs = Math.max(silentMs, atMs - (arrivalsMs[index - 1] ?? 0));
  if (silentMs > HEARTBEAT_MS) flaws.push(`silent for ${silentMs} ms`);
  return { content: text, error, flaws };
}

function readReply({ status, body, headers }: Exchange, wire: WireForm): Reading {
  const reply = JSON.parse(body);
  if (status === 200) return { content: wire.whole(reply).text, error: undefined, flaws: [] };
  const kinds: Readonly<Record<number, string>> = { 400: 'invalid_request_error', 500: 'api_error' };
  const error = wire.errorOf(reply);
  const sound = error !== undefined && kinds[status] === error.type && headers['x-should-retry'] === 'false';
  return { content: '', error: error?.message ?? body, flaws: sound ? [] : [`status ${status}: ${body}`] };
}
