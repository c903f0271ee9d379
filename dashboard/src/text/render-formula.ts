import katex from 'katex';
import type { ReactNode } from 'react';
import { elementsOf } from './formula-elements';

/** Links, images, classes and definitions are refused; sizes and the expansion of macros have an end. */
const OPTIONS = { trust: false, strict: 'ignore', maxSize: 20, maxExpand: 500, errorColor: 'inherit' } as const;
/** A text that defines its own macros could become a million times as long. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|global|long|(?:re|provide)?(?:new)?command)(?![a-z])/i;

/** A formula in LaTeX as elements; undefined where it cannot be read. */
export function renderFormula(text: string, isDisplay: boolean): ReactNode | undefined {
  if (DEFINES.test(text)) return undefined;
  try {
    return elementsOf(katex.renderToString(text, { ...OPTIONS, displayMode: isDisplay }));
  } catch {
    return undefined;
  }
}
