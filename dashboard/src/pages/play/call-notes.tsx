import { attemptOf, costWords, paceOf, seconds } from '../../run/call-words';
import type { Seat } from '../../run/run-events';
import type { Attempt, Call } from '../../run/run-state';
import { useRun, useRunStore } from '../../run/use-run';
import { Disclosed } from '../../ui/disclosed';
import { count } from '../../ui/format-number';
import { consequenceOf, rankingWords, sawSummary, sawWords, textBefore } from './card-view';
import styles from './participant-card.module.css';
import { SourceList } from './source-list';
import { AskAlone } from './thread/ask-alone';

const NONE: readonly never[] = [];

interface CallNotesProps {
  readonly id: string;
  readonly seat: Seat;
  readonly showsChanges: boolean;
  readonly onShowChanges: (shows: boolean) => void;
}

/** Notes on a call beside its text: whose texts it was shown, what went wrong and what that means, its cost. */
export function CallNotes({ id, seat, showsChanges, onShowChanges }: CallNotesProps) {
  // Not with every piece of its text.
  useRun(({ calls }) => `${calls.get(id)?.state} ${calls.get(id)?.attempts.length}`);
  const call = useRunStore().shown().calls.get(id);
  const saw = useRun((state) => call && sawWords(state, call));
  const inShort = useRun((state) => call && sawSummary(state, call));
  const ranking = useRun((state) => rankingWords(state, id));
  const consequence = useRun((state) => consequenceOf(state, seat.seat));
  const hasBefore = useRun((state) => call !== undefined && textBefore(state, call) !== undefined);
  if (!call) return null;
  const shortened = call.shortened ? ' (shortened, for its context window)' : '';
  const isOver = call.endedAtMs !== undefined;
  return (
    <footer className={styles.notes}>
      {call.attempts
        .filter(({ state }) => state === 'retry')
        .map((attempt) => (
          <p key={attempt.attempt} className={styles.trouble}>
            {retryWords(attempt, seat)}
          </p>
        ))}
      {isOver && call.state !== 'done' && consequence && (
        <p className={styles.trouble} data-tone={call.state === 'failed' ? 'bad' : 'warn'}>
          {consequence}
        </p>
      )}
      {inShort === undefined ? (
        <p>
          Saw: <bdi>{saw || 'no other answer'}</bdi>
          {shortened}
        </p>
      ) : (
        <Disclosed title={`Saw: ${inShort}${shortened}`}>
          <p>{saw}</p>
        </Disclosed>
      )}
      <SourceList title="Found on the web" sources={attemptOf(call)?.sources ?? NONE} />
      {ranking && (
        <p>
          Ranked: <bdi>{ranking}</bdi>
        </p>
      )}
      <div className={styles.line}>
        <span>{isOver ? spendWords(call, seat) : 'The cost is known when it is done.'}</span>
        <AskAlone seat={seat} />
        {hasBefore && isOver && (
          <button
            type="button"
            className={styles.small}
            aria-pressed={showsChanges}
            onClick={() => onShowChanges(!showsChanges)}
          >
            {showsChanges ? 'Show the text' : 'Show changes'}
          </button>
        )}
      </div>
    </footer>
  );
}

function retryWords({ attempt, reason, spend }: Attempt, { source }: Seat): string {
  return `Attempt ${attempt} failed${reason ? `: ${reason}` : ''}; it was asked again. Cost of that attempt: ${costWords(spend, source)}.`;
}

/** Endings of a text that is cut off, or may be. */
const CUT_WORDS: Readonly<Record<string, readonly string[]>> = {
  length: ['ended at its length limit'],
  context_window: ['cut off: its context window is full'],
  content_filter: ['cut off by a content filter'],
  failed: ['broken off by its provider'],
  unknown: ['ended for no known reason'],
};

function spendWords(call: Call, { source }: Seat): string {
  const attempt = attemptOf(call);
  if (!attempt) return 'Not billed: no model was asked.';
  const { spend } = attempt;
  const pace = paceOf(attempt, attempt.endedAtMs ?? 0);
  const first = attempt.firstAtMs === undefined ? undefined : attempt.firstAtMs - attempt.startedAtMs;
  return [
    ...(spend ? [`${count(spend.promptTokens)} + ${count(spend.completionTokens)} tokens`] : []),
    `cost: ${attempt.endedAtMs === undefined ? 'not known' : costWords(spend, source)}`,
    ...(first === undefined ? [] : [`first text after ${seconds(first)}`]),
    ...(pace === undefined ? [] : [`${pace} tokens/s`]),
    ...(CUT_WORDS[attempt.finishReason ?? ''] ?? []),
  ].join(' · ');
}
