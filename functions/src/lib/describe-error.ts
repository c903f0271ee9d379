import { excerpt, redact } from './foreign-text';

/** Errors are told with this many of those behind them. */
const CHAIN_MAX = 5;
const MESSAGE_MAX = 300;
const FRAMES_MAX = 20;
/** Keys of servers that anybody may run, where an error quotes one. */
const LOOSE_KEYS = /\bkey[-_A-Za-z0-9]{8,}/g;

/** The chain of an error's names and messages, redacted; behind a model fault codes alone, as messages may quote prompts. */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  let upstream = false;
  for (const at of chainOf(error)) {
    parts.push(upstream ? outline(at) : describeOne(at));
    upstream ||= isModelFault(at);
  }
  return parts.join(' <- ');
}

/** The stack at the bottom of an error's chain, redacted; undefined where no code of ours is to blame. */
export function stackOf(error: unknown): string | undefined {
  const chain = chainOf(error);
  const root = chain.at(-1);
  if (chain.some(isModelFault) || !(root instanceof Error)) return undefined;
  const frames = framesOf(root);
  return frames.length === 0 ? undefined : [describeOne(root), ...frames].join('\n');
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at !== undefined && chain.length < CHAIN_MAX; at = at instanceof Error ? at.cause : undefined) {
    chain.push(at);
  }
  return chain;
}

function isModelFault(error: unknown): boolean {
  return error instanceof Error && error.name === 'ModelFault';
}

function describeOne(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const text = excerpt(`${error.name}: ${error.message}`, MESSAGE_MAX);
  return text.replace(LOOSE_KEYS, '[redacted]').replaceAll('\n', ' ');
}

/** The lines after the message, which may have lines that look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  const frames = stack.slice(at + message.length).split('\n', FRAMES_MAX + 1);
  return frames.filter((line) => line.startsWith('    at ')).map((line) => redact(line));
}

function outline(error: unknown): string {
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  const name = error instanceof Error ? error.constructor.name : undefined;
  return [name, ...[status, code].filter(isPlainCode)].filter((part) => part !== undefined).join(' ');
}

/** Upstreams choose these fields too, and one may put the key it was sent there: only what no key looks like is told. */
function isPlainCode(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.length <= 40 && /^(?:[a-z]+(?:_[a-z]+)*|[A-Z]+(?:_[A-Z]+)*)$/.test(value);
}
