import type { ReactNode } from 'react';
import type { RunEventOf } from '../../run/run-events';
import { labelOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import { visibleText } from '../../text/visible-text';
import { StatusLabel } from '../../ui/status-label';
import { SeatLetter } from './seat-letter';
import styles from './verdict-panel.module.css';

type Analysis = NonNullable<RunEventOf<'verdict'>['analysis']>;
type UniquePoint = NonNullable<Analysis['unique']>[number];

const TONES = { confirmed: 'good', plausible: 'neutral', 'likely invented': 'warn' } as const;

/** The points of the arbiter's comparison, those that one participant alone makes under its letter. */
export function ArbiterFindings() {
  const analysis = useRun(({ verdict }) => verdict?.analysis);
  if (!analysis) return null;
  const { agreed = [], conflicts = [], unique = [], dissent = [] } = analysis;
  const ruled = conflicts.map(({ about, why, ruling }) => (
    <>
      <Words text={about} />
      {ruling && <Words text={`${ruling}${why ? ` (${why})` : ''}`} isSoft />}
    </>
  ));
  return (
    <section aria-label="What the arbiter found" className={styles.lacks}>
      <Points title="Agreed" points={agreed.map(wordsOf)} />
      <Points title="Conflicts, and what the arbiter holds right" points={ruled} />
      <Points
        title="Only one says"
        points={unique.map((point) => <Unique key={point.point} {...point} />)}
        isLettered
      />
      <Points title="Dissent" points={dissent.map(wordsOf)} />
    </section>
  );
}

interface PointsProps {
  readonly title: string;
  readonly points: readonly ReactNode[];
  /** True if a letter stands before each. */
  readonly isLettered?: boolean;
}

function Points({ title, points, isLettered }: PointsProps) {
  if (points.length === 0) return null;
  const List = isLettered ? 'ol' : 'ul';
  return (
    <>
      <h3>{title}</h3>
      <List className={isLettered ? styles.sentences : styles.points}>
        {points.map((point, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a point is known by its place
          <li key={at}>{point}</li>
        ))}
      </List>
    </>
  );
}

function wordsOf(text: string): ReactNode {
  return <Words text={text} />;
}

function Words({ text, isSoft }: { readonly text: string; readonly isSoft?: boolean }) {
  return (
    <p dir="auto" className={isSoft ? 'soft' : undefined}>
      {visibleText(text)}
    </p>
  );
}

function Unique({ candidate, point, mark }: UniquePoint) {
  const seat = useRun(({ verdict }) => verdict?.candidates?.[candidate ?? -1]);
  const index = useRun(({ run }) => run?.participants.findIndex((one) => one.seat === seat) ?? -1);
  const author = useRun((state) => (seat === undefined ? undefined : labelOf(state, seat)));
  return (
    <>
      <span className={styles.letters}>
        {index >= 0 && <SeatLetter index={index} />}
        <span className="visually-hidden">{author ?? 'One of them'}: </span>
      </span>
      <div>
        <Words text={point} />
        {mark && <StatusLabel tone={TONES[mark]}>{mark}</StatusLabel>}
      </div>
    </>
  );
}
