/** A piece of running text. */
export type Inline =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'strong'; readonly inlines: readonly Inline[] }
  | { readonly is: 'emphasis'; readonly inlines: readonly Inline[] }
  | { readonly is: 'deleted'; readonly inlines: readonly Inline[] }
  | { readonly is: 'link'; readonly href: string; readonly inlines: readonly Inline[] }
  | { readonly is: 'break' }
  | Formula
  /** Refers to a note. */
  | { readonly is: 'note'; readonly label: string };

/** A formula in LaTeX; `raw` is how it stands in the text, with its marks. */
export interface Formula {
  readonly is: 'formula';
  readonly text: string;
  readonly raw: string;
  /** It has a line of its own. */
  readonly isDisplay: boolean;
}

/** A block of a text, as it is shown. There is none for markup: it is text like any other. */
export type Block =
  | { readonly is: 'paragraph'; readonly inlines: readonly Inline[] }
  | { readonly is: 'heading'; readonly level: number; readonly inlines: readonly Inline[] }
  | { readonly is: 'code'; readonly language: string; readonly text: string }
  /** The text as it stands. */
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'quote'; readonly blocks: readonly Block[] }
  | { readonly is: 'list'; readonly start?: number; readonly items: readonly ListItem[] }
  | Table
  | Formula
  | { readonly is: 'note'; readonly label: string; readonly inlines: readonly Inline[] }
  | { readonly is: 'rule' };

/** An item of a list. */
export interface ListItem {
  readonly blocks: readonly Block[];
  /** Set: it is one of a list of tasks, and done or not. */
  readonly isDone?: boolean;
}

/** A table, whose columns may be aligned. */
export interface Table {
  readonly is: 'table';
  readonly aligned: readonly ('left' | 'center' | 'right' | null)[];
  readonly head: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A cell of a table. */
export type Cell = readonly Inline[];
