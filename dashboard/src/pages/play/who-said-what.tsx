import type { RunState } from '../../run/run-state';
import { seatName } from '../../run/seat-name';
import { labelOf, letterOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import { Markdown } from '../../text/markdown';
import { visibleText } from '../../text/visible-text';
import { Disclosed } from '../../ui/disclosed';
import { ArbiterFindings } from './arbiter-findings';
import { SeatLetter } from './seat-letter';
import { useOverlap } from './use-overlap';
import styles from './verdict-panel.module.css';

/** The arbiter's findings, the drafts that each sentence of the answer stands in, the text that each participant stands for, and their rankings. */
export function WhoSaidWhat() {
  const standing = useRun((state) => state.standing);
  const run = useRun((state) => state.run);
  const winner = useRun(({ verdict }) => verdict?.winner);
  const rankings = useRun(rankingLines);
  if (standing.length === 0) return <p className="soft">Nobody has finished a text yet.</p>;
  return (
    <>
      <ArbiterFindings />
      <Sentences />
      {(run?.participants ?? []).map(({ seat, label }, index) => {
        const text = standing.findLast((one) => seatName(one.seat) === seat);
        const about = [
          text?.part,
          text && text.round > 0 && `round ${text.round}`,
          text?.kept && 'changed nothing when asked again',
          winner === seat && 'found best',
        ].filter(Boolean);
        return (
          <Disclosed key={seat} title={`${letterOf(index)} ${label}${about.length > 0 ? `: ${about.join(', ')}` : ''}`}>
            {text ? <Markdown text={text.text} isWhole /> : <p className="soft">It stands for no text.</p>}
          </Disclosed>
        );
      })}
      {rankings !== '' && (
        <div className={styles.lacks}>
          <h3>Rankings, best first</h3>
          <ul>
            {rankings.split('\n').map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** The answer, sentence by sentence, with the letters of the drafts that hold it. */
function Sentences() {
  const overlap = useOverlap();
  const labels = useRun(({ run }) => run?.participants);
  if (!overlap || !labels) return <p className="soft">Sentences can be compared as soon as the run is over.</p>;
  const { sentences, isCut } = overlap;
  const found = sentences.filter((one) => one.in.length > 0).length;
  return (
    <section aria-label="Sentences of the answer" className={styles.lacks}>
      <p>
        {found} of {sentences.length} sentences stand in a draft{isCut && ', as far as the answer was compared'}.{' '}
        <span className="soft">
          Found by comparing words: at least three in five pairs of words in a row must be the same, so that what was
          put in other words is not found.
        </span>
      </p>
      <ol className={styles.sentences}>
        {sentences.map(({ text, in: places }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is known by its place
          <li key={at}>
            <span className={styles.letters}>
              {places.map((place) => (
                <SeatLetter key={place} index={place} />
              ))}
              <span className="visually-hidden">
                {places.length === 0
                  ? 'In no draft: '
                  : `In ${places.map((place) => labels[place]?.label).join(', ')}: `}
              </span>
            </span>
            <span dir="auto">{visibleText(text)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function rankingLines(state: RunState): string {
  return state.rankings
    .map(({ call: id, order }) => {
      const reader = state.calls.get(id);
      const round = reader && reader.round > 0 ? ` (round ${reader.round})` : '';
      return `${reader ? labelOf(state, reader.seat) : id}${round}: ${order.map((seat) => labelOf(state, seat)).join(', ')}`;
    })
    .join('\n');
}
