// Loaded into every Node process of a test: the Firebase CLI, started as a program, writes its arguments down and ends.
const { appendFileSync } = require('node:fs');
const { env, argv } = process;

if (argv[1]?.endsWith('/bin/firebase.js')) {
  appendFileSync(env.RECORD_FILE, `${JSON.stringify(argv.slice(2))}\n`);
  process.exit(Number(env.RECORD_EXIT ?? 0));
}
