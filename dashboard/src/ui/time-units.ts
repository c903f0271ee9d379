/** One second, for lengths that the API tells in milliseconds. */
export const MS_A_SECOND = 1_000;
