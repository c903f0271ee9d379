import { useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../../api/use-action';
import { applyEvents } from '../../run/apply-event';
import type { RecordedRun } from '../../run/run-events';
import { runFileText } from '../../run/run-file';
import { NO_RUN } from '../../run/run-state';
import { RUN_STATES, type RunSummary, runStateWords } from '../../run/run-summary';
import { useHasRunLinks } from '../../session/session-context';
import { runMarkdown } from '../../share/run-markdown';
import ShareRun from '../../share/share-run';
import { visibleText } from '../../text/visible-text';
import { DataCell, DataTable } from '../../ui/data-table';
import { ErrorState } from '../../ui/error-state';
import { count, usdOfNano } from '../../ui/format-number';
import { Moment } from '../../ui/moment';
import { RowMenu } from '../../ui/row-menu';
import { saveFile } from '../../ui/save-file';
import { StatusLabel } from '../../ui/status-label';
import { MS_A_SECOND } from '../../ui/time-units';
import { asBody } from '../play/setup/run-body';
import { strategyLabel } from '../play/setup/strategies';
import type { runListRequests } from './run-list-requests';
import styles from './runs.module.css';

const HEADS = {
  prompt: { label: 'Prompt' },
  begun: { label: 'Started' },
  how: { label: 'Strategy' },
  took: { label: 'Time', isNumber: true },
  cost: { label: 'Cost', isNumber: true },
  state: { label: 'Status' },
  actions: { label: 'Actions', isHidden: true },
};

/** The files that a run is saved as, by the ends of their names. */
const FILES = {
  json: { type: 'application/json', textOf: runFileText },
  md: {
    type: 'text/markdown',
    textOf: ({ prompt, request, events }: RecordedRun) =>
      runMarkdown(applyEvents(NO_RUN, events), (request && asBody(request)?.messages.at(-1)?.content) ?? prompt),
  },
};

interface RunTableProps {
  readonly runs: readonly RunSummary[];
  readonly requests: ReturnType<typeof runListRequests>;
  readonly onDelete: (run: RunSummary) => void;
}

/** Kept runs, a row each. */
export function RunTable({ runs, requests, onDelete }: RunTableProps) {
  const hasLinks = useHasRunLinks();
  const [shared, setShared] = useState<string>();
  const saving = useAction(async ({ id, as }: { readonly id: string; readonly as: keyof typeof FILES }) => {
    const { type, textOf } = FILES[as];
    const text = textOf({ events: [], ...(await requests.read(id)) });
    saveFile({ name: `run-${id.slice(0, 8)}.${as}`, type, text });
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
              <StatusLabel tone={RUN_STATES[run.state].tone}>{runStateWords(run).text}</StatusLabel>
            </DataCell>
            <DataCell of={HEADS.actions}>
              <RowMenu
                label={`Actions for ${run.prompt}`}
                actions={[
                  { id: 'save', label: 'Save as a file', onAction: () => void saving.run({ id: run.id, as: 'json' }) },
                  { id: 'text', label: 'Save as Markdown', onAction: () => void saving.run({ id: run.id, as: 'md' }) },
                  ...(hasLinks ? [{ id: 'share', label: 'Share …', onAction: () => setShared(run.id) }] : []),
                  { id: 'delete', label: 'Delete …', danger: true, onAction: () => onDelete(run) },
                ]}
              />
            </DataCell>
          </tr>
        ))}
      </DataTable>
      {shared !== undefined && <ShareRun id={shared} onClose={() => setShared(undefined)} />}
    </>
  );
}

function howWords({ strategy, rounds }: RunSummary): string {
  const name = strategyLabel(strategy);
  return strategy === 'pass_through' ? name : `${name}, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`;
}
