import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { PageSkeleton } from '../ui/skeleton';
import { loadPart } from './load-part';
import { PartBoundary } from './part-boundary';

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

interface LazyOptions {
  readonly of?: 'page' | 'part';
  /** Shown until it is loaded. */
  readonly waiting?: ReactNode;
}

/** A part of a page whose program is loaded when it is first shown, with its waiting and its failure. */
export function lazyPart<Props extends object>(load: Load<Props>, options: LazyOptions = {}) {
  const latest = retried(load);
  return (props: Props): ReactNode => <LazyPart latest={latest} props={props} options={options} />;
}

/** The same of a whole page. */
export function lazyPage<Props extends object>(load: Load<Props>) {
  return lazyPart(load, { of: 'page', waiting: <PageSkeleton /> });
}

/** React keeps the failure of a program: who shows the part anew gets one that is loaded anew. */
function retried<Props extends object>(load: Load<Props>) {
  const attempt = (): ReturnType<Load<Props>> =>
    loadPart(load).catch((cause) => {
      part = lazy(attempt);
      throw cause;
    });
  let part = lazy(attempt);
  return () => part;
}

interface LazyPartProps<Props extends object> {
  readonly latest: () => ComponentType<Props>;
  readonly props: Props;
  readonly options: LazyOptions;
}

function LazyPart<Props extends object>({ latest, props, options }: LazyPartProps<Props>) {
  const { of = 'part', waiting = <p>Loading …</p> } = options;
  const [Part] = useState(latest);
  const [path] = useLocation();
  return (
    <PartBoundary of={of} at={path}>
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    </PartBoundary>
  );
}
