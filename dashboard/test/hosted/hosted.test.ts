import { describeWithEmulators } from '../../../functions/test/function/firebase-emulators';
import { describeInBrowser } from '../support/browser';
import { addressTests } from './addresses';
import { hostedPages } from './hosted-pages';
import { playgroundTests } from './playground';
import { signInTests } from './sign-in';

/** The pages on the Hosting emulator, with the function, Firestore and Firebase Auth behind them: started once for all. */
describeWithEmulators('the dashboard, hosted', (current) => {
  describeInBrowser('in a browser', (open) => {
    const hosted = hostedPages(current, open);
    signInTests(hosted);
    playgroundTests(hosted);
    addressTests(hosted);
  });
});
