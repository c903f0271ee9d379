import { attemptOf, PURPOSES } from '../../run/call-words';
import type { Call } from '../../run/run-state';
import { labelOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import { HeadingRank } from '../../text/block-view';
import { Markdown } from '../../text/markdown';
import { readStructure, StructuredText } from '../../text/structured-text';
import { Disclosed } from '../../ui/disclosed';
import { callIdsOf, sawWords } from './card-view';
import styles from './verdict-panel.module.css';

/** Why the answer is as it is: the arbiter's explanation, what the run lacked, and the steps between. */
export default function VerdictWhy() {
  const explanation = useRun(({ verdict }) => verdict?.explanation);
  const winner = useRun((state) => state.verdict?.winner && labelOf(state, state.verdict.winner));
  const isOver = useRun(({ end }) => end !== undefined);
  return (
    <>
      {winner && (
        <p>
          Best draft: <strong>{winner}</strong>
        </p>
      )}
      <Agreement />
      <Checks />
      {explanation && (
        <HeadingRank value={3}>
          <Markdown text={explanation} isWhole />
        </HeadingRank>
      )}
      {!explanation && (
        <p className="soft">
          {isOver ? 'No explanation was asked for.' : 'The explanation follows the answer, where it was asked for.'}
        </p>
      )}
      <Lacks />
      <ArbiterSteps />
    </>
  );
}

/** The number says little without what was counted. */
function Agreement() {
  const words = useRun(({ verdict }) => {
    const agreement = verdict?.agreement;
    return agreement && `Agreement of the participants: ${Math.round(agreement.share * 100)}%. ${agreement.words}`;
  });
  return words === undefined ? null : <p>{words}</p>;
}

/** The checks of the answer, and their results. */
function Checks() {
  const checks = useRun(({ verdict }) => verdict?.checks);
  if (!checks) return null;
  return (
    <ul aria-label="Checks of the answer" className={styles.checks}>
      {checks.map(({ check, passed, words }) => (
        <li key={check}>
          {PASSED[String(passed)]}: {words}
        </li>
      ))}
    </ul>
  );
}

const PASSED: Readonly<Record<string, string>> = { true: 'Passed', false: 'Not passed', null: 'Not known' };

function Lacks() {
  const verdict = useRun((state) => state.verdict?.degraded);
  const noted = useRun(({ limitations }) => limitations);
  const skipped = useRun((state) => state.skipped);
  const lacks = verdict ?? noted;
  if (lacks.length === 0 && !skipped) return null;
  return (
    <div className={styles.lacks}>
      <h3>What was left out</h3>
      <ul>
        {skipped && (
          <li>
            Skipped from round {skipped.from} on: {skipped.reason}
          </li>
        )}
        {lacks.map((lack) => (
          <li key={lack}>{lack}</li>
        ))}
      </ul>
    </div>
  );
}

function ArbiterSteps() {
  const ids = useRun((state) => callIdsOf(state, 'arbiter'));
  const calls = useRun((state) => state.calls);
  const steps = ids.flatMap((id) => calls.get(id) ?? []).filter(({ purpose }) => purpose !== 'answer');
  return steps.map((call) => (
    <Disclosed key={call.id} title={stepTitle(call)}>
      <StepSaw call={call} />
      <StepText text={attemptOf(call)?.text ?? ''} />
    </Disclosed>
  ));
}

/** It does not know whose texts it reads, and calls them by other names. */
function StepSaw({ call }: { readonly call: Call }) {
  const saw = useRun((state) => sawWords(state, call));
  return saw === '' ? null : <p className="soft">It read {saw}.</p>;
}

function StepText({ text }: { readonly text: string }) {
  const structure = readStructure(text);
  if (structure !== undefined) return <StructuredText value={structure} />;
  return <Markdown text={text || 'It has written nothing yet.'} isWhole />;
}

function stepTitle({ purpose, round }: Call): string {
  return `The arbiter’s ${PURPOSES[purpose].toLowerCase()}${round > 0 ? `, round ${round}` : ''}`;
}
