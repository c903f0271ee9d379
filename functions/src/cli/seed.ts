import { readConfig } from '../config';
import { loadLocalEnvironment } from '../env-files';
import { createServices } from '../services';
import { seedDemoUser } from './demo-user';

/** Makes the demo user and prints the key as JSON, for programs that serve in a process of their own. */
async function seed(): Promise<void> {
  loadLocalEnvironment(process.cwd());
  const container = createServices(readConfig({ ...process.env, LOG_LEVEL: 'error' }));
  try {
    console.log(JSON.stringify(await seedDemoUser(container)));
  } finally {
    await container.store.close();
  }
}

void seed().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
