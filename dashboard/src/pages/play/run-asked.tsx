import type { ReactNode } from 'react';
import { visibleText } from '../../text/visible-text';
import styles from './play.module.css';
import type { RunBody } from './setup/run-body';
import { strategyLabel } from './setup/strategies';

interface RunAskedProps {
  /** At least its beginning. */
  readonly prompt: string | undefined;
  /** The request from the playground; undefined: the run was begun elsewhere. */
  readonly request: RunBody | undefined;
  readonly actions: ReactNode;
}

/** The question, in a few lines. */
export function RunAsked({ prompt: beginning = '', request, actions }: RunAskedProps) {
  const prompt = request?.messages.at(-1)?.content ?? beginning;
  const about = request ? aboutRequest(request) : ['asked through the API'];
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

function aboutRequest({ messages, ai_ensemble: ensemble, attachments = [] }: RunBody): string[] {
  return [
    ...(ensemble.strategy ? [strategyLabel(ensemble.strategy)] : []),
    ...(messages.length > 1 ? [`${messages.length - 1} messages before`] : []),
    ...(attachments.length > 0 ? [`files: ${attachments.map(({ name }) => name).join(', ')}`] : []),
  ];
}
