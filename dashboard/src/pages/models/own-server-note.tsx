import { Moment } from '../../ui/moment';
import styles from './models.module.css';
import { usePlatformModels } from './use-platform-models';

/** A note that a model server of the deployment's own does not answer, and how old its list is; nothing while it does. */
export function OwnServerNote() {
  const server = usePlatformModels().data?.ownServer;
  const isDown = server !== undefined && !server.answers;
  return (
    <p role="status" className={isDown ? styles.soft : 'visually-hidden'}>
      {isDown && 'The model server of this deployment does not answer. '}
      {isDown &&
        (server.listedAt === null ? (
          'Its models are not listed yet.'
        ) : (
          <>
            Its models are those that it listed <Moment at={server.listedAt} />.
          </>
        ))}
    </p>
  );
}
