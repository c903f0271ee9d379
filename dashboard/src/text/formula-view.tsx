import { memo } from 'react';
import type { Formula } from './blocks';
import { lazyModule } from './lazy-module';
import { visibleText } from './visible-text';

const useRenderer = lazyModule(async () => {
  const [renderer] = await Promise.all([import('./render-formula'), import('katex/dist/katex.min.css')]);
  return renderer;
});

/** Shorter ones are not wider than the narrowest text. */
const NARROW_CHARACTERS = 30;

/** A formula; as it stands in the text until the program for it has come, and where it cannot be read. */
export const FormulaView = memo(({ text, raw, isDisplay }: Omit<Formula, 'is'>) => {
  const shown = useRenderer(true)?.renderFormula(text, isDisplay);
  if (shown === undefined) return <code dir="ltr">{visibleText(raw)}</code>;
  if (!isDisplay && text.length <= NARROW_CHARACTERS) return <bdi dir="ltr">{shown}</bdi>;
  return (
    // A wide one is scrolled by itself, also with the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached
    <span role="group" aria-label="Formula" tabIndex={0} dir="ltr" data-formula={isDisplay ? 'display' : 'inline'}>
      {shown}
    </span>
  );
});
