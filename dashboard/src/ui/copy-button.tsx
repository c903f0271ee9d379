import { useState } from 'react';
import { Button } from './button';

interface CopyButtonProps {
  /** A text that takes some making can be made when it is wanted. */
  readonly text: string | (() => string);
  /** The thing it copies, such as “key”. */
  readonly what: string;
  /** The words on it where “Copy” would not tell it from another. */
  readonly words?: string;
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  readonly autoFocus?: boolean;
  /** Lets the user copy by hand, where the browser does not allow it. */
  readonly onRefused?: () => void;
}

/** Copies a text, and says whether that worked. */
export function CopyButton({
  text,
  what,
  words = 'Copy',
  kind = 'secondary',
  autoFocus = false,
  onRefused,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setOutcome('copied');
    } catch {
      setOutcome('refused');
      onRefused?.();
    }
  };
  return (
    <>
      <Button
        kind={kind}
        icon={outcome === 'copied' ? 'check' : 'copy'}
        onPress={copy}
        autoFocus={autoFocus}
        aria-label={`${outcome === 'copied' ? 'Copied' : 'Copy'} ${what}`}
      >
        {outcome === 'copied' ? 'Copied' : words}
      </Button>
      <span role="status" className="visually-hidden">
        {outcome === 'copied' && `The ${what} is copied`}
        {outcome === 'refused' && 'The browser does not allow it: select the text and press Ctrl+C'}
      </span>
    </>
  );
}
