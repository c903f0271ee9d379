import { type FormEvent, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import type { RunRating, Seat } from '../../../run/run-events';
import { letterOf } from '../../../run/seat-words';
import { useRun } from '../../../run/use-run';
import { ErrorState } from '../../../ui/error-state';
import { Icon, type IconName } from '../../../ui/icon';
import { TextField } from '../../../ui/text-field';
import styles from './thread.module.css';
import type { Rating } from './use-run-rating';

const NOBODY: readonly Seat[] = [];
const WORDS_CHARACTERS_MAX = 200;

/** One click says how the answer was, and which participant was better; a few words may stand beside it. */
export function RateRun({ rating }: { readonly rating: Rating }) {
  const participants = useRun(({ run }) => run?.participants ?? NOBODY);
  const isAnswered = useRun(({ answer }) => answer !== '');
  if (!isAnswered) return null;
  const { given, error } = rating;
  const isRated = Object.values(given).some(Boolean);
  return (
    <section className={styles.rating} aria-label="Your rating">
      <div className={styles.row}>
        <Opinion rating={rating} gives={{ answer: 'good' }} icon="good">
          Good answer
        </Opinion>
        <Opinion rating={rating} gives={{ answer: 'bad' }} icon="bad">
          Bad answer
        </Opinion>
      </div>
      {participants.length > 1 && (
        <fieldset className={styles.row}>
          <legend className={styles.soft}>Better than the answer</legend>
          {participants.map(({ seat, label }, index) => (
            <Opinion key={seat} rating={rating} gives={{ better: seat }}>
              {letterOf(index)} <bdi>{label}</bdi>
            </Opinion>
          ))}
        </fieldset>
      )}
      {isRated && <Words key={given.words} rating={rating} />}
      {error !== undefined && <ErrorState title="Your rating was not kept" error={error} />}
    </section>
  );
}

interface OpinionProps {
  readonly rating: Rating;
  /** A second press takes it back. */
  readonly gives: RunRating;
  readonly icon?: IconName;
  readonly children: React.ReactNode;
}

function Opinion({ rating: { given, rate }, gives, icon, children }: OpinionProps) {
  const isGiven = Object.entries(gives).every(([name, value]) => given[name as keyof RunRating] === value);
  const none = Object.fromEntries(Object.keys(gives).map((name) => [name, undefined]));
  return (
    <ToggleButton
      className={styles.opinion ?? ''}
      isSelected={isGiven}
      isDisabled={!rate}
      onChange={(isOn) => rate?.({ ...given, ...(isOn ? gives : none) })}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </ToggleButton>
  );
}

function Words({ rating: { given, rate } }: { readonly rating: Rating }) {
  const [words, setWords] = useState(given.words ?? '');
  const keep = (event?: FormEvent): void => {
    event?.preventDefault();
    const next = words.trim() === '' ? undefined : words.trim();
    if (next !== given.words) rate?.({ ...given, words: next });
  };
  return (
    <form className={styles.words} onSubmit={keep}>
      <TextField
        label="In a word (optional)"
        value={words}
        onChange={setWords}
        onBlur={() => keep()}
        maxLength={WORDS_CHARACTERS_MAX}
        isReadOnly={!rate}
        description={
          given.words === undefined ? 'Kept with the run when you press Enter or go on.' : 'Kept with the run.'
        }
      />
    </form>
  );
}
