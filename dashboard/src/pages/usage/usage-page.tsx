import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useApi } from '../../api/api-context';
import { type Api, bodyOrThrow } from '../../api/client';
import { lazyPart } from '../../loading/lazy-part';
import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { Segmented } from '../../ui/segmented';
import { Skeleton } from '../../ui/skeleton';
import { lengthOf, MONTHS_MAX, type MonthRange, monthAfter } from './month-range';
import { addUpLines } from './usage-lines';
import { UsageReport } from './usage-report';
import { PERIODS, searchOf, type UsageView, viewOf } from './usage-view';

const RequestLog = lazyPart(() => import('./request-log'), {
  waiting: <Skeleton label="Loading the requests" rows={5} />,
});

/** The page of the usage: what was spent in which month, on which day, by which request, on which model and with which key. */
export default function UsagePage() {
  const api = useApi();
  const [search, setSearch] = useSearchParams();
  const view = viewOf(search);
  const { range, per } = view;
  const usage = useQuery({
    queryKey: ['usage', range?.from, range?.to],
    queryFn: () => readMonths(api, range),
    placeholderData: (before) => before,
  });
  const change = (wanted: Partial<UsageView>): void => setSearch(searchOf({ ...view, ...wanted }));
  return (
    <Page title="Usage" lead="What your keys and the playground used. Months and days are in UTC.">
      <div className="row">
        <Segmented
          label="Usage shown"
          options={PERIODS}
          value={per}
          onChange={(id) => change({ per: id, range: undefined, key: undefined })}
        />
      </div>
      {view.isRangeRefused && (
        <p role="status">
          The address names no range of 1 to {MONTHS_MAX} months, such as from=2026-01&amp;to=2026-06. These are the
          last.
        </p>
      )}
      {usage.isPending && <Skeleton label="Loading your usage" rows={2} rowHeight="200px" />}
      {usage.isError && (
        <ErrorState title="Your usage could not be loaded" error={usage.error} onRetry={usage.refetch} />
      )}
      {usage.data && per !== 'request' && <UsageReport key={per} months={usage.data} view={view} onChange={change} />}
      {usage.data && per === 'request' && (
        <RequestLog keys={addUpLines(usage.data, 'key')} ofKey={view.key} onKey={(key) => change({ key })} />
      )}
    </Page>
  );
}

/** With the month before the range where there is room for it, to which its first month is compared. */
async function readMonths(api: Api, range: MonthRange | undefined) {
  const query = range && { ...range, from: lengthOf(range) < MONTHS_MAX ? monthAfter(range.from, -1) : range.from };
  return (await bodyOrThrow(api.GET('/dashboard/usage', { params: { query: { ...query } } }))).months;
}
