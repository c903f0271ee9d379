import { useLayoutEffect, useRef } from 'react';
import { useAskedRun } from '../../run/asked-run';
import { firstWords } from '../../text/first-words';
import { useWindowTitle } from '../../ui/use-window-title';

const TITLE_CHARACTERS_MAX = 48;
const HEADING_CHARACTERS_MAX = 120;

/** The heading of a run, for readers of the screen; what was pressed to show the run is gone, and the focus comes here. */
export function RunHeading() {
  const prompt = useAskedRun()?.prompt ?? '';
  const heading = useRef<HTMLHeadingElement>(null);
  useWindowTitle(firstWords(prompt, TITLE_CHARACTERS_MAX) || undefined);
  // Before the next frame, in which drafts come up: the focus scrolls to where it goes.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="visually-hidden" dir="auto">
      Run: {firstWords(prompt, HEADING_CHARACTERS_MAX)}
    </h2>
  );
}
