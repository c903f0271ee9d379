import { Link, useLocation } from 'wouter';
import { Icon } from '../ui/icon';
import styles from './navigation.module.css';
import { PAGE_LINKS } from './page-links';

/** The pages: a list beside the page, on a phone a bar below it. */
export function Navigation() {
  const [path] = useLocation();
  return (
    <nav aria-label="Pages" className={styles.navigation}>
      <ul>
        {PAGE_LINKS.map((link) => (
          <li key={link.path}>
            <Link href={link.path} aria-current={isAt(path, link.path) ? 'page' : undefined}>
              <Icon name={link.icon} />
              <span>{link.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A page has addresses below its own, too. */
function isAt(path: string, page: string): boolean {
  return path === page || path.startsWith(`${page}/`);
}
