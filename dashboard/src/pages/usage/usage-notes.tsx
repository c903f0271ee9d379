import { GAP_WORDS } from './cost-words';
import styles from './usage.module.css';
import { addUpLines, type CostGap, type Month } from './usage-lines';
import type { Division } from './usage-view';

const NAMES_MAX = 5;
const MEANINGS: Readonly<Record<CostGap, string>> = {
  unpriced: 'No price was known, so what they cost is in none of these figures',
  router: 'You pay them to your model router, so what they cost is in none of these figures',
  unknown: 'They used models of which some are free and some have no known cost; which ones is not kept',
};

/** The models, and the parts of keys, that are not in the costs, and why. */
export function UsageNotes({ months, by }: { readonly months: readonly Month[]; readonly by: Division }) {
  const lines = [...addUpLines(months, 'model'), ...(by === 'key' ? addUpLines(months, 'key') : [])];
  const notes = (['unpriced', 'router', 'unknown'] as const).map((gap) => ({
    gap,
    names: [...new Set(lines.filter((line) => line.gap === gap).map(({ name }) => name))],
  }));
  const told = notes.filter(({ names }) => names.length > 0);
  if (told.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {told.map(({ gap, names }) => (
        <li key={gap}>
          <strong>{wordsOf(GAP_WORDS[gap])}:</strong> {namesOf(names)}. {MEANINGS[gap]}.
        </li>
      ))}
    </ul>
  );
}

function wordsOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function namesOf(names: readonly string[]): string {
  const left = names.length - NAMES_MAX;
  const told = names.slice(0, NAMES_MAX);
  return new Intl.ListFormat('en').format(left > 0 ? [...told, `${left} more`] : told);
}
