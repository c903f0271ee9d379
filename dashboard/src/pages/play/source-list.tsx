import type { Schema } from '../../api/client';
import { OutsideLink } from '../../text/outside-link';
import { visibleText } from '../../text/visible-text';
import styles from './source-list.module.css';

interface SourceListProps {
  readonly title: string;
  readonly sources: readonly Schema<'WebSource'>[];
}

/** Pages that models found on the web; nothing of them is fetched here. */
export function SourceList({ title, sources }: SourceListProps) {
  if (sources.length === 0) return null;
  return (
    <section className={styles.sources} aria-label={title}>
      <h3>{title}</h3>
      <ol>
        {sources.map(({ url, title: name }) => (
          <li key={url}>
            <OutsideLink href={url} text={name}>
              {visibleText(name)}
            </OutsideLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
