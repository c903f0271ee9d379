import { bodyOf, type RunBody, type RunThread, settingsOf } from '../setup/run-body';
import type { RunSettings } from '../setup/run-settings';

/** A run that a conversation goes on from: its request, and its id where the server has it. */
export interface AskedBody {
  readonly body: RunBody;
  readonly runId: string | undefined;
}

/** Number of earlier runs that a request may name. */
const EARLIER_MAX = 200;

/** The conversation that a run is in: where it is in none, it is the first of one. */
export function threadOf({ body, runId }: AskedBody): Required<RunThread> | undefined {
  const { id = runId, earlier = [] } = body.thread ?? {};
  return id === undefined ? undefined : { id, earlier };
}

/** The request for a further message: what was asked and answered is its history. Files are of their message alone. */
export function nextRequest(asked: AskedBody, answer: string, prompt: string): RunBody {
  const thread = threadOf(asked);
  const said = answer === '' ? [] : [{ role: 'assistant', content: answer } as const];
  const messages = [...asked.body.messages, ...said, { role: 'user', content: prompt } as const];
  const earlier = thread && asked.runId !== undefined ? [...thread.earlier, asked.runId].slice(-EARLIER_MAX) : [];
  return inThread({ ...withoutFiles(asked.body), messages }, thread && { ...thread, earlier });
}

/** The request with one of its messages changed, up to what was asked with it or next after it: what follows is gone. */
export function editedRequest(asked: AskedBody, at: number, content: string): RunBody {
  const { messages } = asked.body;
  const users = messages.flatMap(({ role }, place) => (role === 'user' ? [place] : []));
  const end = users.find((place) => place >= at) ?? messages.length - 1;
  const changed = messages.slice(0, end + 1).map((one, place) => (place === at ? { ...one, content } : one));
  const thread = threadOf(asked);
  const gone = users.filter((place) => place > end).length;
  const earlier = thread?.earlier.slice(0, Math.max(0, thread.earlier.length - gone)) ?? [];
  const rest = gone > 0 ? withoutFiles(asked.body) : asked.body;
  return inThread({ ...rest, messages: changed }, thread && { ...thread, earlier });
}

/** The same question once more with other settings, in the same place of the conversation. */
export function againRequest(asked: AskedBody, changes: Partial<RunSettings>): RunBody {
  const { attachments } = asked.body;
  const body = bodyOf({ ...settingsOf(asked.body), ...changes });
  return inThread({ ...body, ...(attachments && { attachments }) }, threadOf(asked));
}

/** A request that was set up anew: in the same place of the conversation while its history is the same. */
export function setUpRequest(asked: AskedBody | undefined, body: RunBody): RunBody {
  const before = ({ messages }: RunBody): string =>
    JSON.stringify(messages.slice(0, -1).filter(({ role }) => role !== 'system'));
  return asked && before(asked.body) === before(body) ? inThread(body, threadOf(asked)) : body;
}

function inThread(body: RunBody, thread: RunThread | undefined): RunBody {
  return { ...body, ...(thread && { thread }) };
}

function withoutFiles({ attachments: _, ...body }: RunBody): RunBody {
  return body;
}
