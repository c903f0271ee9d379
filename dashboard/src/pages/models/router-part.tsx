import type { Schema } from '../../api/client';
import { ByokNeeded } from './byok-needed';
import { GrantPanel } from './grant-panel';
import styles from './models.module.css';
import { RouterKeyPanel } from './router-key-panel';
import { RouterModelsPanel } from './router-models-panel';

interface RouterPartProps {
  readonly plan: Schema<'AccountPlan'>;
  readonly saved: Schema<'RouterKey'>['saved'];
  readonly list: Schema<'RouterModelList'>;
}

/** Bring your own key. Without the plan for it there is what it gives, and what was left behind can be deleted. */
export function RouterPart({ plan, saved, list }: RouterPartProps) {
  const isAllowed = plan.allows.routerModels;
  return (
    <>
      {!isAllowed && <ByokNeeded plan={plan} max={list.max} />}
      <div className={styles.pair}>
        {(isAllowed || saved) && <RouterKeyPanel saved={saved} modelCount={list.models.length} isAllowed={isAllowed} />}
        {isAllowed && <GrantPanel plan={plan} />}
      </div>
      {(isAllowed || list.models.length > 0) && <RouterModelsPanel list={list} isAllowed={isAllowed} />}
    </>
  );
}
