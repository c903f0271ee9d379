import { Link } from 'wouter';
import type { Schema } from '../../api/client';
import { RUN_STATES } from '../../run/run-summary';
import { DataCell, DataTable } from '../../ui/data-table';
import { exactMoment, momentOf } from '../../ui/format-moment';
import { count } from '../../ui/format-number';
import { StatusLabel } from '../../ui/status-label';
import { MS_A_SECOND } from '../../ui/time-units';
import type { Tone } from '../../ui/tone';
import { strategyLabel } from '../play/setup/strategies';
import { costWords } from './cost-words';
import styles from './usage.module.css';

type Request = Schema<'LoggedRequest'>;

const NAMES_MAX = 2;
const HEADS = {
  at: { label: 'Started' },
  key: { label: 'Key' },
  model: { label: 'Models' },
  strategy: { label: 'Strategy' },
  tokens: { label: 'Tokens', isNumber: true },
  cost: { label: 'Cost', isNumber: true },
  took: { label: 'Time', isNumber: true },
  outcome: { label: 'Outcome' },
};

const OUTCOMES: Readonly<Record<Request['outcome'], { readonly tone: Tone; readonly text: string }>> = {
  ...RUN_STATES,
  lost: { tone: 'bad', text: 'Failed: the server stopped' },
  ended: { tone: 'neutral', text: 'Ended' },
};

/** Requests, a row each. */
export function RequestTable({ requests }: { readonly requests: readonly Request[] }) {
  return (
    <DataTable name="Requests" heads={Object.values(HEADS)}>
      {requests.map((request) => (
        <tr key={request.id}>
          <th scope="row" className={styles.when}>
            {isRun(request) ? (
              <Link href={`/play/${request.id}`}>
                <Started request={request} />
              </Link>
            ) : (
              <Started request={request} />
            )}
          </th>
          <DataCell of={HEADS.key}>{request.keyName}</DataCell>
          <DataCell of={HEADS.model}>
            <span title={request.models.join(', ')}>{modelWords(request.models)}</span>
          </DataCell>
          <DataCell of={HEADS.strategy}>{howWords(request)}</DataCell>
          <DataCell of={HEADS.tokens}>
            <span title={`${count(request.promptTokens)} prompt, ${count(request.completionTokens)} completion`}>
              {count(request.promptTokens + request.completionTokens)}
            </span>
          </DataCell>
          <DataCell of={HEADS.cost}>
            {request.outcome === 'running' ? '' : costWords({ costUsd: request.costUsd, gap: request.costGap })}
          </DataCell>
          <DataCell of={HEADS.took}>{tookWords(request.durationMs)}</DataCell>
          <DataCell of={HEADS.outcome}>
            <StatusLabel tone={OUTCOMES[request.outcome].tone}>{OUTCOMES[request.outcome].text}</StatusLabel>
          </DataCell>
        </tr>
      ))}
    </DataTable>
  );
}

function Started({ request: { startedAt, id } }: { readonly request: Request }) {
  const atMs = Date.parse(startedAt);
  return (
    <time dateTime={startedAt} title={`${exactMoment(atMs)}, request ${id}`}>
      {momentOf(atMs)}
    </time>
  );
}

/** True for what may have been kept as a run of that id. */
function isRun({ endpoint, strategy }: Request): boolean {
  return endpoint === 'playground' && strategy !== undefined;
}

function modelWords(names: readonly string[]): string {
  const left = names.length - NAMES_MAX;
  return [...names.slice(0, NAMES_MAX), ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

function howWords({ strategy, endpoint }: Request): string {
  return strategy === undefined ? endpoint : strategyLabel(strategy);
}

function tookWords(durationMs: number | undefined): string {
  return durationMs === undefined ? '' : `${(durationMs / MS_A_SECOND).toFixed(1)} s`;
}
