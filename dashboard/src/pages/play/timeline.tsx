import type { CSSProperties } from 'react';
import { seconds } from '../../run/call-words';
import type { Call, RunState } from '../../run/run-state';
import { letterOf } from '../../run/seat-words';
import { useRun, useRunStore } from '../../run/use-run';
import { Disclosed } from '../../ui/disclosed';
import { callIdsOf } from './card-view';
import { hueOf } from './seat-letter';
import styles from './timeline.module.css';
import { type Bar, barsOf, rowsOf, spanOf } from './timeline-bars';
import { TimelineTable } from './timeline-table';
import { useElapsed } from './use-elapsed';

interface Lane {
  readonly seats: readonly string[];
  readonly letter: string;
  readonly name: string;
  /** None has the arbiter's. */
  readonly hue?: CSSProperties;
}

/** The time of each call: a bar from its question to its end, with a mark where its text began. The same as a table. */
export function Timeline() {
  const elapsedMs = useElapsed();
  const run = useRun((state) => state.run);
  useRun(({ callIds }) => callIds);
  const state = useRunStore().shown();
  if (!run) return null;
  const spanMs = spanOf(state, elapsedMs);
  return (
    <figure className={styles.timeline} aria-label="Timeline of the calls">
      <div className={styles.lanes} aria-hidden="true">
        {lanesOf(state).map((lane) => (
          <div key={lane.letter} className={lane.hue ? `${styles.lane} seat-hue` : styles.lane} style={lane.hue}>
            <span className={styles.name} title={lane.name}>
              {lane.letter}
            </span>
            <div className={styles.rows}>
              {rowsOf(lane.seats.flatMap((seat) => callsOf(state, seat))).map((row) => (
                <div key={row[0]?.id} className={styles.row}>
                  {barsOf(row, elapsedMs, spanMs).map((bar) => (
                    <BarView key={bar.id} bar={bar} />
                  ))}
                </div>
              ))}
            </div>
          </div>
        ))}
        <div className={styles.scale}>
          <span>0 s</span>
          <span>{seconds(spanMs / 2)}</span>
          <span>{seconds(spanMs)}</span>
        </div>
      </div>
      <Disclosed title="The timeline as a table">
        <TimelineTable />
      </Disclosed>
    </figure>
  );
}

function BarView({ bar: { state, from, length, first, waited } }: { readonly bar: Bar }) {
  const place: CSSProperties = { insetInlineStart: percent(from), inlineSize: percent(length) };
  return (
    <span className={styles.bar} data-state={state} style={place}>
      <span className={styles.waited} style={{ inlineSize: percent(waited) }} />
      {first !== undefined && <span className={styles.first} style={{ insetInlineStart: percent(first) }} />}
    </span>
  );
}

function lanesOf({ run, callIds }: RunState): Lane[] {
  const participants = (run?.participants ?? []).map(({ seat, label }, index) => ({
    seats: [seat],
    letter: letterOf(index),
    name: label,
    hue: hueOf(index),
  }));
  const others = [...callIds.keys()].filter((seat) => !participants.some(({ seats }) => seats.includes(seat)));
  return [...participants, { seats: others, letter: '✦', name: 'The arbiter' }];
}

function callsOf(state: RunState, seat: string): Call[] {
  return callIdsOf(state, seat).flatMap((id) => state.calls.get(id) ?? []);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
