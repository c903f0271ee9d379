import { readConfig } from '../config';
import { createContainer } from '../container';
import { loadLocalEnvironment } from '../env-files';
import { seedDemoUser } from './demo-user';

/** Makes the demo user and prints the key as JSON, for programs that serve in a process of their own. */
async function seed(): Promise<void> {
  loadLocalEnvironment(process.cwd());
  const container = createContainer(readConfig({ ...process.env, LOG_LEVEL: 'error' }));
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
