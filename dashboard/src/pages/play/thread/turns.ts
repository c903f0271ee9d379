import type { RunSummary } from '../../../run/run-summary';
import { type AskedBody, threadOf } from './next-request';

/** A message of a request, by its place there. */
export interface Said {
  readonly at: number;
  readonly text: string;
}

/** A question of a conversation before the newest, and its answer. */
export interface Turn {
  readonly question: Said;
  readonly answer: Said | undefined;
  /** The run that it was; undefined where it is not kept. */
  readonly run: RunSummary | undefined;
}

/** The questions before that of a run, with the runs that they were: as far as the request names them, and they are kept. */
export function turnsBefore(asked: AskedBody, runs: readonly RunSummary[]): readonly Turn[] {
  const { messages } = asked.body;
  const users = messages.flatMap(({ role }, place) => (role === 'user' ? [place] : []));
  const earlier = threadOf(asked)?.earlier ?? [];
  return users.slice(0, -1).map((place, index) => {
    const runId = earlier[earlier.length - (users.length - 1) + index];
    const answerAt = messages.findIndex(({ role }, at) => at > place && role === 'assistant');
    const isAnswered = answerAt >= 0 && answerAt < (users[index + 1] ?? 0);
    const said = (at: number): Said => ({ at, text: messages[at]?.content ?? '' });
    return {
      question: said(place),
      answer: isAnswered ? said(answerAt) : undefined,
      run: runs.find(({ id }) => id === runId),
    };
  });
}

/** The runs of the same place in the conversation, oldest first: the question in other words, or with other settings. */
export function versionsOf(run: RunSummary, runs: readonly RunSummary[]): readonly RunSummary[] {
  return runs.filter(({ thread, after }) => thread === run.thread && after === run.after);
}
