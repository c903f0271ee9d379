/** Starts the service with these settings, on a store of its own or in `directory`; resolves when it is ready. */
export function startService(
  settings: Readonly<Record<string, string>>,
  directory?: string,
): Promise<{ readonly baseUrl: string; readonly key: string; readonly stop: () => Promise<void> }>;
