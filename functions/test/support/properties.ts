import fc from 'fast-check';
import { isLongMode } from './long-mode';

/** All that mutation testing asks is whether a case fails: none is shrunk. */
const endOnFailure = 'MUTATION_AREA' in process.env;

/** The same cases in each run, so that a change is judged by what it changes; the long mode draws new ones. */
if (!isLongMode) fc.configureGlobal({ seed: 20_261_122, endOnFailure });

export default fc;
