import { createContext, useContext } from 'react';
import type { Api } from './client';

/** The client of whoever is signed in. */
export const ApiContext = createContext<Api | undefined>(undefined);

/** The client, inside of pages that only signed-in users see. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error('No ApiContext around this component');
  return api;
}
