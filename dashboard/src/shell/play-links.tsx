import { Link, useLocation } from 'wouter';
import styles from './play-links.module.css';

const LINKS = [
  { path: '/play', label: 'New run' },
  { path: '/play/runs', label: 'Runs' },
  { path: '/play/compare', label: 'Compare' },
  { path: '/play/study', label: 'Study' },
] as const;

/** The pages of the playground, at one place above each of them. */
export function PlayLinks() {
  const [path] = useLocation();
  if (!/^\/play(\/|$)/.test(path)) return null;
  return (
    <nav aria-label="Playground" className={styles.links}>
      {LINKS.map((link) => (
        <Link key={link.path} href={link.path} aria-current={path === link.path ? 'page' : undefined}>
          {link.label}
        </Link>
      ))}
    </nav>
  );
}
