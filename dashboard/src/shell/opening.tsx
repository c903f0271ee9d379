import styles from './opening.module.css';

/** The page until the server has said how its users sign in. */
export function Opening() {
  return (
    <p className={styles.opening} role="status">
      Opening the dashboard …
    </p>
  );
}
