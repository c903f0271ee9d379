/** The space around the bars, in pixels: the words of the axes, and “so far”. */
export const MARGINS = { top: 20, bottom: 28, start: 60, end: 4 } as const;
