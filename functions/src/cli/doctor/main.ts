/*
 * What `npm run doctor` finds out with the built service: `diagnose.ts` lists the checks, a file each where they are more
 * than a few lines. The script around it looks at the machine and shows the findings.
 */
import { diagnose } from './diagnose';

void diagnose(process.env, { call: process.argv.includes('--call') }).then((diagnosis) => {
  console.log(JSON.stringify(diagnosis));
  // A store that cannot be reached must not keep the program waiting.
  process.exit(0);
});
