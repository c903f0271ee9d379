import fc from 'fast-check';
import { isLongMode } from './long-mode';

/** The same cases in each run, so that a change is judged by what it changes; the long mode draws new ones. */
if (!isLongMode) fc.configureGlobal({ seed: 20_261_122 });

export default fc;
