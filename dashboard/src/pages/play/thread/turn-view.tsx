import { useState } from 'react';
import { Link } from 'wouter';
import type { RunSummary } from '../../../run/run-summary';
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
  const close = (): void => edit(undefined);
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
      {answer && <Answer answer={answer} number={number} onEdit={() => edit(answer)} />}
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
      {edited && <EditMessage key={edited.at} said={edited} isAnswer={edited === answer} onClose={close} />}
    </li>
  );
}

interface AnswerProps {
  readonly answer: Said;
  readonly number: number;
  readonly onEdit: () => void;
}

function Answer({ answer: { text }, number, onEdit }: AnswerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.answer}>
      {isOpen ? (
        <Markdown text={text} isWhole />
      ) : (
        <p className={styles.excerpt} dir="auto">
          {visibleText(plainText(text.slice(0, EXCERPT_CHARACTERS)))}
        </p>
      )}
      <div className={styles.row}>
        <Button
          kind="quiet"
          onPress={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Fold' : 'Show all of'} answer ${number}`}
        >
          {isOpen ? 'Fold' : 'Show all'}
        </Button>
        <Button kind="quiet" onPress={onEdit} aria-label={`Edit answer ${number} and run again`}>
          Edit
        </Button>
      </div>
    </div>
  );
}

function wayOf({ strategy }: RunSummary): string {
  return strategyLabel((strategy === 'pass_through' ? 'single' : strategy) as RunStrategy);
}
