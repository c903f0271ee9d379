import type { Schema } from '../../api/client';

/** The open dialog of the page. A key that was made is held here and nowhere else, as long as it is shown. */
export type KeyDialogState =
  | { readonly is: 'create' }
  | { readonly is: 'edit' | 'rotate' | 'revoke'; readonly keyId: string }
  | { readonly is: 'new'; readonly created: Schema<'CreatedKey'>; readonly replacedId?: string };
