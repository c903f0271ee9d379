/** “November 2026”, or “Nov 2026”, or “Nov”, as the reader writes it, with the day where there is one; those of UTC. */
export function monthWords(month: string, length: 'long' | 'short' | 'narrow' = 'long', locale?: string): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    month: length === 'long' ? 'long' : 'short',
    ...(month.length > 'YYYY-MM'.length && { day: 'numeric' }),
    ...(length !== 'narrow' && { year: 'numeric' }),
  }).format(Date.parse(month));
}
