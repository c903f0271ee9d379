import { seedDemoUser } from './cli/demo-user';
import { container } from './start-up';

/** The function as it is deployed. */
export { api } from './index';

/** Makes the demo user, in the store that the function has open. */
export const seed = () => seedDemoUser(container());

/** Whether this server has the dashboard: it signs nobody in, and so is there only where it listens for this machine alone. */
export const hasDashboard = () => container().config.dashboard.users === 'local';
