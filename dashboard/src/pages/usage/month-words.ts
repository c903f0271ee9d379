/** “November 2026”, or “Nov 2026”, or “Nov”, as the reader writes it; months are those of UTC. */
export function monthWords(month: string, length: 'long' | 'short' | 'narrow' = 'long', locale?: string): string {
  const style = length === 'long' ? 'long' : 'short';
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    month: style,
    ...(length !== 'narrow' && { year: 'numeric' }),
  }).format(Date.parse(month));
}
