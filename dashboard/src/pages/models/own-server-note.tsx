import { Moment } from '../../ui/moment';
import styles from './models.module.css';
import { usePlatformModels } from './use-platform-models';

/** The reason for which a model server of the deployment's own gave no list, and the age of the one before; nothing while it does. */
export function OwnServerNote() {
  const { trouble = null, listedAt = null } = usePlatformModels().data?.ownServer ?? {};
  return (
    <p role="status" className={trouble === null ? 'visually-hidden' : styles.soft}>
      {trouble !== null && `The model server of this deployment gives no list: ${trouble}. `}
      {trouble !== null && (listedAt === null ? 'Any id can be used all the same.' : <Listed at={listedAt} />)}
    </p>
  );
}

function Listed({ at }: { readonly at: string }) {
  return (
    <>
      Its models are those that it listed <Moment at={at} />.
    </>
  );
}
