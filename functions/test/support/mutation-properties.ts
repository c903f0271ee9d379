import fc from 'fast-check';

/** For mutation testing: the same cases for every mutant, and none shrunk, since all it asks is whether one fails. */
fc.configureGlobal({ seed: 1, endOnFailure: true });
