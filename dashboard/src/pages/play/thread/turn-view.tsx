import { useState } from 'react';
import { Link } from 'wouter';
import { HeadingRank } from '../../../text/block-view';
import { Markdown } from '../../../text/markdown';
import { plainText } from '../../../text/plain-text';
import { visibleText } from '../../../text/visible-text';
import { Button } from '../../../ui/button';
import { usdOfNano } from '../../../ui/format-number';
import { strategyLabel } from '../setup/strategies';
import { EditMessage } from './edit-message';
import styles from './thread.module.css';
import type { Said, Turn } from './turns';
import { Versions } from './versions';

const EXCERPT_CHARACTERS = 600;

/** One question of the conversation and its answer: folded to a few lines, opened and changed on demand. */
export function TurnView({
  turn: { question, answer, run },
  number,
}: {
  readonly turn: Turn;
  readonly number: number;
}) {
  const [edited, edit] = useState<Said>();
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles.turn}>
      <div className={styles.question}>
        <p className={styles.text} dir="auto">
          {visibleText(question.text)}
        </p>
        <Button kind="quiet" onPress={() => edit(question)} aria-label={`Edit message ${number} and run again`}>
          Edit
        </Button>
      </div>
      {answer && !isOpen && (
        <p className={styles.excerpt} dir="auto">
          {visibleText(plainText(answer.text.slice(0, EXCERPT_CHARACTERS)))}
        </p>
      )}
      {answer && isOpen && (
        <HeadingRank value={3}>
          <Markdown text={answer.text} isWhole />
        </HeadingRank>
      )}
      <div className="row">
        {answer && (
          <>
            <Button
              kind="quiet"
              onPress={() => setOpen(!isOpen)}
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Fold' : 'Show all of'} answer ${number}`}
            >
              {isOpen ? 'Fold' : 'Show all'}
            </Button>
            <Button kind="quiet" onPress={() => edit(answer)} aria-label={`Edit answer ${number} and run again`}>
              Edit
            </Button>
          </>
        )}
        <p className="soft">{run ? <Told run={run} number={number} /> : 'Its run is not kept.'}</p>
        <Versions id={run?.id} />
      </div>
      {edited && (
        <EditMessage
          key={edited.at}
          said={edited}
          label={edited === answer ? 'The answer in other words' : 'Your message in other words'}
          onClose={() => edit(undefined)}
        />
      )}
    </li>
  );
}

function Told({ run, number }: { readonly run: NonNullable<Turn['run']>; readonly number: number }) {
  const rated = run.rating?.answer ? [`rated ${run.rating.answer}`] : [];
  return (
    <>
      {[strategyLabel(run.strategy), usdOfNano(run.costNanoUsd), ...rated].join(' · ')} ·{' '}
      <Link href={`/play/${run.id}`}>Open run {number}</Link>
    </>
  );
}
