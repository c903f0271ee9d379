import { Link } from 'wouter';
import { useAction } from '../../api/use-action';
import { runFileText } from '../../run/run-file';
import { RUN_STATES, type RunSummary } from '../../run/run-summary';
import { visibleText } from '../../text/visible-text';
import { DataCell, DataTable } from '../../ui/data-table';
import { ErrorState } from '../../ui/error-state';
import { count, usdOfNano } from '../../ui/format-number';
import { Moment } from '../../ui/moment';
import { RowMenu } from '../../ui/row-menu';
import { saveFile } from '../../ui/save-file';
import { StatusLabel } from '../../ui/status-label';
import { MS_A_SECOND } from '../../ui/time-units';
import { strategyLabel } from '../play/setup/strategies';
import type { runListRequests } from './run-list-requests';
import styles from './runs.module.css';

const HEADS = {
  prompt: { label: 'Prompt' },
  begun: { label: 'Begun' },
  how: { label: 'How' },
  took: { label: 'Took', isNumber: true },
  cost: { label: 'Cost', isNumber: true },
  state: { label: 'Status' },
  actions: { label: 'Actions', isHidden: true },
};

interface RunTableProps {
  readonly runs: readonly RunSummary[];
  readonly requests: ReturnType<typeof runListRequests>;
  readonly onDelete: (run: RunSummary) => void;
}

/** Kept runs, a row each. */
export function RunTable({ runs, requests, onDelete }: RunTableProps) {
  const saving = useAction(async (id: string) => {
    const text = runFileText({ events: [], ...(await requests.read(id)) });
    saveFile({ name: `run-${id.slice(0, 8)}.json`, type: 'application/json', text });
  });
  return (
    <>
      {saving.error !== undefined && <ErrorState title="The run was not saved" error={saving.error} />}
      <DataTable name="Runs" heads={Object.values(HEADS)}>
        {runs.map((run) => (
          <tr key={run.id}>
            <th scope="row" className={styles.prompt}>
              <Link href={`/play/${run.id}`} dir="auto">
                {visibleText(run.prompt)}
              </Link>
            </th>
            <DataCell of={HEADS.begun} className={styles.when}>
              <Moment at={new Date(run.startedAtMs).toISOString()} />
            </DataCell>
            <DataCell of={HEADS.how}>
              <span>
                {howWords(run)} <small className={styles.models}>{run.models.join(', ')}</small>
              </span>
            </DataCell>
            <DataCell of={HEADS.took}>{count(Math.round(run.durationMs / MS_A_SECOND))} s</DataCell>
            <DataCell of={HEADS.cost}>{usdOfNano(run.costNanoUsd)}</DataCell>
            <DataCell of={HEADS.state}>
              <StatusLabel tone={RUN_STATES[run.state].tone}>{RUN_STATES[run.state].text}</StatusLabel>
            </DataCell>
            <DataCell of={HEADS.actions}>
              <RowMenu
                label={`Actions for ${run.prompt}`}
                actions={[
                  { id: 'save', label: 'Save as a file', onAction: () => void saving.run(run.id) },
                  { id: 'delete', label: 'Delete …', danger: true, onAction: () => onDelete(run) },
                ]}
              />
            </DataCell>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

function howWords({ strategy, rounds }: RunSummary): string {
  if (strategy === 'pass_through') return 'One model alone';
  return `${strategyLabel(strategy as Parameters<typeof strategyLabel>[0])}, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`;
}
