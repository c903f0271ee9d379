// The Functions Framework takes a setting that cannot be used for a syntax error and prints a stack. Loaded before it, the
// function says what is wrong in a line.
try {
  require('../lib/index.js');
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
