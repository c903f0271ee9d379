import type { ReactNode } from 'react';
import { visibleText } from '../../text/visible-text';
import styles from './play.module.css';
import type { RunBody } from './setup/run-body';

/** What was asked, in a few lines. */
export function RunAsked({ request, actions }: { readonly request: RunBody; readonly actions: ReactNode }) {
  const { messages, ai_ensemble: ensemble, attachments = [] } = request;
  const prompt = messages.at(-1)?.content ?? '';
  const about = [
    ensemble.strategy?.replaceAll('_', ' '),
    messages.length > 1 && `${messages.length - 1} messages before`,
    attachments.length > 0 && `files: ${attachments.map(({ name }) => name).join(', ')}`,
  ].filter(Boolean);
  return (
    <section className={styles.asked} aria-label="What was asked">
      <div>
        <p className={styles.prompt} dir="auto">
          {visibleText(prompt)}
        </p>
        {about.length > 0 && <p className={styles.soft}>{about.join(' · ')}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
