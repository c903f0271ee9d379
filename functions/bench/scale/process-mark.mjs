/** What begins the line in which a server tells how it fares. */
export const PROCESS_MARK = 'process ';
