// Loaded into every Node process of a test: the Firebase CLI, started as a program, writes its arguments down, and what its
// configuration says of Hosting, and ends.
const { appendFileSync, readFileSync } = require('node:fs');
const { env, argv } = process;

if (argv[1]?.endsWith('/bin/firebase.js')) {
  const args = argv.slice(2);
  const config = args.includes('--config') ? args[args.indexOf('--config') + 1] : 'firebase.json';
  const { hosting } = JSON.parse(readFileSync(config, 'utf8'));
  appendFileSync(env.RECORD_FILE, `${JSON.stringify({ args, hosting })}\n`);
  process.exit(Number(env.RECORD_EXIT ?? 0));
}
