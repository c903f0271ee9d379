/** The command that makes a study. */
export const COMMAND = 'npm run quality -- --panel MODEL,MODEL,MODEL --arbiter MODEL --tasks 45 --max-usd 1';
