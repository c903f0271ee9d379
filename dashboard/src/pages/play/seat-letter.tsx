import type { CSSProperties } from 'react';
import { letterOf } from '../../run/seat-words';
import styles from './seat-letter.module.css';

/** The colour of the participant at a place, for elements of the class `seat-hue`. */
export function hueOf(index: number): CSSProperties {
  return { '--seat': index } as CSSProperties;
}

/** The letter of a participant, in its colour. */
export function SeatLetter({ index }: { readonly index: number }) {
  return (
    <span className={`${styles.letter} seat-hue`} style={hueOf(index)} aria-hidden="true">
      {letterOf(index)}
    </span>
  );
}
