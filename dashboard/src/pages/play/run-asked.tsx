import type { ReactNode } from 'react';
import { visibleText } from '../../text/visible-text';
import styles from './play.module.css';
import type { RunBody } from './setup/run-body';
import { NEW_SETTINGS } from './setup/run-settings';
import { strategyLabel } from './setup/strategies';

interface RunAskedProps {
  /** At least its beginning. */
  readonly prompt: string | undefined;
  /** The request from the playground; undefined: the run was begun elsewhere. */
  readonly request: RunBody | undefined;
  /** Shown once the run is over; their place is there before. */
  readonly actions: ReactNode;
  readonly isOver?: boolean;
  /** Stands under the question. */
  readonly children?: ReactNode;
}

/** The question, in a few lines. */
export function RunAsked({ prompt: beginning = '', request, actions, isOver = false, children }: RunAskedProps) {
  const prompt = request?.messages.at(-1)?.content ?? beginning;
  const before = request?.messages.filter(({ role }) => role !== 'system').length ?? 1;
  const about = [
    ...(request ? aboutRequest(request) : ['asked through the API']),
    // With actions the messages stand above.
    ...(!actions && before > 1 ? [`${before - 1} messages before`] : []),
  ];
  return (
    <section className={styles.asked} aria-label="What was asked">
      <div>
        <p className={styles.prompt} dir="auto">
          {visibleText(prompt)}
        </p>
        <div className={styles.about}>
          <p className="soft">{about.join(' · ')}</p>
          {children}
        </div>
      </div>
      {actions && (
        <div className={`row ${styles.actions}`} data-hidden={!isOver}>
          {actions}
        </div>
      )}
    </section>
  );
}

function aboutRequest({ ai_ensemble: ensemble, attachments = [] }: RunBody): string[] {
  return [
    strategyLabel(ensemble.models ? (ensemble.strategy ?? NEW_SETTINGS.strategy) : 'single'),
    ...(attachments.length > 0 ? [`files: ${attachments.map(({ name }) => name).join(', ')}`] : []),
  ];
}
