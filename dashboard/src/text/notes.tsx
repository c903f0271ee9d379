import { createContext, type ReactNode, useContext } from 'react';
import { visibleText } from './visible-text';

/** The name of the text whose notes these are: texts of one page may use the same labels. */
export const NotesOf = createContext('');

function useNoteId(label: string): string {
  return `${useContext(NotesOf)}-${encodeURIComponent(label.toLowerCase())}`;
}

/** A mark that leads to a note. */
export function NoteReference({ label }: { readonly label: string }) {
  return (
    <sup>
      <a href={`#${useNoteId(label)}`} aria-label={`Note ${visibleText(label)}`}>
        {visibleText(label)}
      </a>
    </sup>
  );
}

/** A note below a text. */
export function Note({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div data-note="" id={useNoteId(label)} tabIndex={-1}>
      <span>{visibleText(label)}</span>
      <p>{children}</p>
    </div>
  );
}
