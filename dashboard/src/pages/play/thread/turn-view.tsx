import { useState } from 'react';
import { Link } from 'wouter';
import type { RunSummary } from '../../../run/run-summary';
import { HeadingRank } from '../../../text/block-view';
import { Markdown } from '../../../text/markdown';
import { plainText } from '../../../text/plain-text';
import { visibleText } from '../../../text/visible-text';
import { Button } from '../../../ui/button';
import { usdOfNano } from '../../../ui/format-number';
import type { RunStrategy } from '../setup/run-settings';
import { strategyLabel } from '../setup/strategies';
import { EditMessage } from './edit-message';
import styles from './thread.module.css';
import type { Said, Turn } from './turns';
import { Versions } from './versions';

const EXCERPT_CHARACTERS = 600;

interface TurnViewProps {
  readonly turn: Turn;
  /** From 1. */
  readonly number: number;
  readonly runs: readonly RunSummary[];
}

/** One question of the conversation and its answer: folded to a few lines, opened and changed on demand. */
export function TurnView({ turn: { question, answer, run }, number, runs }: TurnViewProps) {
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
      {answer && <AnswerText text={answer.text} isOpen={isOpen} />}
      <div className={styles.row}>
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
        <p className={styles.soft}>
          {run ? (
            <>
              {wayOf(run)} · {usdOfNano(run.costNanoUsd)}
              {run.rating?.answer && ` · rated ${run.rating.answer}`} ·{' '}
              <Link href={`/play/${run.id}`}>Open run {number}</Link>
            </>
          ) : (
            'Its run is not kept.'
          )}
        </p>
        {run && <Versions run={run} runs={runs} />}
      </div>
      {edited && (
        <EditMessage key={edited.at} said={edited} isAnswer={edited === answer} onClose={() => edit(undefined)} />
      )}
    </li>
  );
}

function AnswerText({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  return (
    <div className={styles.answer}>
      {isOpen ? (
        <HeadingRank value={3}>
          <Markdown text={text} isWhole />
        </HeadingRank>
      ) : (
        <p className={styles.excerpt} dir="auto">
          {visibleText(plainText(text.slice(0, EXCERPT_CHARACTERS)))}
        </p>
      )}
    </div>
  );
}

function wayOf({ strategy }: RunSummary): string {
  return strategyLabel((strategy === 'pass_through' ? 'single' : strategy) as RunStrategy);
}
