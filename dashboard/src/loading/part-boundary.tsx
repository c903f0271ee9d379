import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button';
import notice from '../ui/notice.module.css';
import { Page } from '../ui/page';
import { NotLoaded } from './load-part';

interface PartBoundaryProps {
  /** The part that is lost where it fails; a page has its title, too. */
  readonly of: 'page' | 'part';
  /** The address; a failure is left behind with it. */
  readonly at?: string;
  readonly children: ReactNode;
}

const NAMES = { page: 'This page', part: 'This part of the page' } as const;

/** Keeps what is around a part when it fails, and says so in its place. */
export class PartBoundary extends Component<PartBoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ at }: PartBoundaryProps) {
    if (at !== this.props.at && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    const { of, children } = this.props;
    if (error === undefined) return children;
    const isNotLoaded = error instanceof NotLoaded;
    const title = `${NAMES[of]} ${isNotLoaded ? 'could not be loaded' : 'has failed'}`;
    const failed = (
      <div role="alert" className={notice.error}>
        {of === 'part' && <p className={notice.title}>{title}</p>}
        <p>
          {isNotLoaded
            ? 'The server did not send it. Check the connection, then reload the page: a prompt that you have typed is kept.'
            : 'It is a fault of the page itself. Reload it: a prompt that you have typed is kept.'}
        </p>
        <Button onPress={() => location.reload()}>Reload</Button>
      </div>
    );
    return of === 'page' ? <Page title={title}>{failed}</Page> : failed;
  }
}
