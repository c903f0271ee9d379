import type { RunState } from '../../run/run-state';
import { seatName } from '../../run/seat-name';
import { labelOf, letterOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import { Markdown } from '../../text/markdown';
import { Disclosed } from '../../ui/disclosed';
import styles from './verdict-panel.module.css';

/** The text that each participant stands for at the end, and in which order they put those of the others. */
export function WhoSaidWhat() {
  const standing = useRun((state) => state.standing);
  const run = useRun((state) => state.run);
  const winner = useRun(({ verdict }) => verdict?.winner);
  const rankings = useRun(rankingLines);
  if (standing.length === 0) return <p className={styles.soft}>Nobody has finished a text yet.</p>;
  return (
    <>
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
            {text ? <Markdown text={text.text} isWhole /> : <p className={styles.soft}>It stands for no text.</p>}
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

function rankingLines(state: RunState): string {
  return state.rankings
    .map(({ call: id, order }) => {
      const reader = state.calls.get(id);
      const round = reader && reader.round > 0 ? ` (round ${reader.round})` : '';
      return `${reader ? labelOf(state, reader.seat) : id}${round}: ${order.map((seat) => labelOf(state, seat)).join(', ')}`;
    })
    .join('\n');
}
