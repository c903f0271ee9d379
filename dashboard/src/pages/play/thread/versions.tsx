import { Link } from 'wouter';
import styles from './thread.module.css';
import { versionsOf } from './turns';
import { useThreadRuns } from './use-thread-runs';

/** The ways to the runs of the same place in the conversation as this one; nothing where there are none. */
export function Versions({ id }: { readonly id: string | undefined }) {
  const runs = useThreadRuns();
  const run = runs.find((one) => one.id === id);
  const versions = run ? versionsOf(run, runs) : [];
  if (versions.length < 2) return null;
  return (
    <nav aria-label="Versions" className="row">
      <span className="soft">Versions</span>
      {versions.map((version, index) => (
        <Link
          key={version.id}
          href={`/play/${version.id}`}
          className={styles.version}
          aria-current={version.id === id ? 'page' : undefined}
        >
          {index + 1}
        </Link>
      ))}
    </nav>
  );
}
