import { seedDemoUser } from './cli/demo-user';
import { container } from './start-up';

/** The function as it is deployed. */
export { api } from './index';

/** Makes the demo user, in the store that the function has open. */
export const seed = () => seedDemoUser(container());

/** True where this server has the dashboard of this machine, which the secret opens. */
export const hasDashboard = () => container().config.dashboard.users === 'local';
