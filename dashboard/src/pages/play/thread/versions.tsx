import { Link } from 'wouter';
import type { RunSummary } from '../../../run/run-summary';
import styles from './thread.module.css';
import { versionsOf } from './turns';

interface VersionsProps {
  readonly run: RunSummary;
  /** Those of the conversation. */
  readonly runs: readonly RunSummary[];
}

/** The ways to the other runs of the same place in the conversation; nothing where there are none. */
export function Versions({ run, runs }: VersionsProps) {
  const versions = versionsOf(run, runs);
  const at = versions.findIndex(({ id }) => id === run.id);
  if (versions.length < 2 || at < 0) return null;
  return (
    <nav aria-label="Versions of this message" className={styles.versions}>
      <Way to={versions[at - 1]} label="The version before">
        ‹
      </Way>
      <span>
        Version {at + 1} of {versions.length}
      </span>
      <Way to={versions[at + 1]} label="The version after">
        ›
      </Way>
    </nav>
  );
}

interface WayProps {
  readonly to: RunSummary | undefined;
  readonly label: string;
  readonly children: string;
}

function Way({ to, label, children }: WayProps) {
  if (!to) return <span aria-hidden="true">{children}</span>;
  return (
    <Link href={`/play/${to.id}`} aria-label={label}>
      {children}
    </Link>
  );
}
