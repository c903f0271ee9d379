import { planWords } from './plan-words';
import type { RunSettings } from './run-settings';
import styles from './setup.module.css';
import { usePlan } from './use-plan';

/** The calls, cost and time of the run, before it begins. */
export function RunPlan({ settings }: { readonly settings: RunSettings }) {
  const { data: plan, error } = usePlan(settings);
  if (error) return <p className={styles.warn}>{error.message}</p>;
  if (!plan) return <p className="soft">Estimating calls, cost and time …</p>;
  return (
    <div className={styles.plan}>
      <p>{planWords(plan)}</p>
      {plan.leftOut?.map((text) => (
        <p key={text} className="soft">
          {text}
        </p>
      ))}
    </div>
  );
}
