import { type ReactNode, useState } from 'react';
import type { RunRating, Seat } from '../../../run/run-events';
import { letterOf } from '../../../run/seat-words';
import { useRun } from '../../../run/use-run';
import { Button } from '../../../ui/button';
import { ErrorState } from '../../../ui/error-state';
import type { IconName } from '../../../ui/icon';
import { TextField } from '../../../ui/text-field';
import styles from './thread.module.css';
import type { Rating } from './use-run-rating';

const NOBODY: readonly Seat[] = [];
const WORDS_CHARACTERS_MAX = 200;

/** One click says how the answer was, or which participant was better; a few words may stand beside it. */
export function RateRun({ rating }: { readonly rating: Rating }) {
  const participants = useRun(({ run }) => run?.participants ?? NOBODY);
  const isAnswered = useRun(({ answer }) => answer !== '');
  const { given, error } = rating;
  if (!isAnswered) return null;
  return (
    <section className={styles.part} aria-label="Your rating">
      <div className="row">
        <Opinion rating={rating} gives={{ answer: 'good' }} icon="good">
          Good answer
        </Opinion>
        <Opinion rating={rating} gives={{ answer: 'bad' }} icon="bad">
          Bad answer
        </Opinion>
        {participants.length > 1 && <span className="soft">Better than the answer:</span>}
        {participants.length > 1 &&
          participants.map(({ seat, label }, index) => (
            <Opinion key={seat} rating={rating} gives={{ better: seat }}>
              {letterOf(index)} <bdi className={styles.name}>{label}</bdi>
            </Opinion>
          ))}
      </div>
      {Object.values(given).some(Boolean) && <Words key={given.words} rating={rating} />}
      {error !== undefined && <ErrorState title="Your rating was not saved" error={error} />}
    </section>
  );
}

interface OpinionProps {
  readonly rating: Rating;
  /** A second press takes it back. */
  readonly gives: Pick<RunRating, 'answer'> | Pick<RunRating, 'better'>;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

function Opinion({ rating: { given, rate }, gives, ...button }: OpinionProps) {
  const [[name, value] = ['answer', undefined]] = Object.entries(gives);
  const isGiven = given[name as keyof RunRating] === value;
  return (
    <Button
      {...button}
      aria-pressed={isGiven}
      isDisabled={!rate}
      onPress={() => rate?.({ ...given, [name]: isGiven ? undefined : value })}
    />
  );
}

function Words({ rating: { given, rate } }: { readonly rating: Rating }) {
  const [words, setWords] = useState(given.words ?? '');
  const keep = (): void => {
    const next = words.trim() || undefined;
    if (next !== given.words) rate?.({ ...given, words: next });
  };
  return (
    <TextField
      label="Comment (optional)"
      value={words}
      onChange={setWords}
      onBlur={keep}
      onKeyDown={({ key }) => key === 'Enter' && keep()}
      maxLength={WORDS_CHARACTERS_MAX}
      isReadOnly={!rate}
      description={given.words === undefined ? 'Saved when you press Enter or leave the field.' : 'Saved with the run.'}
    />
  );
}
