import { callWords, PURPOSES, seconds } from '../../run/call-words';
import { labelOf } from '../../run/seat-words';
import { useRunStore } from '../../run/use-run';
import styles from './timeline.module.css';

/** The timeline in words; drawn with it. */
export function TimelineTable() {
  const state = useRunStore().shown();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <section className={styles.scroll} aria-label="Calls of the run" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {['Model', 'Step', 'Asked at', 'First text', 'State', 'Ended at'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...state.calls.values()].map((call) => {
            const first = call.attempts.at(-1)?.firstAtMs;
            return (
              <tr key={call.id}>
                <th scope="row">
                  <bdi>{labelOf(state, call.seat)}</bdi>
                </th>
                <td>{call.round > 0 ? `${PURPOSES[call.purpose]}, round ${call.round}` : PURPOSES[call.purpose]}</td>
                <td>{seconds(call.queuedAtMs)}</td>
                <td>{first === undefined ? '–' : seconds(first)}</td>
                <td>{callWords(call, state.atMs).text}</td>
                <td>{call.endedAtMs === undefined ? '–' : seconds(call.endedAtMs)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
