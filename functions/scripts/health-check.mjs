// Exits with 0 when the server of this container is well, else with 1 and the reason: an image without a shell has no curl.
const PATIENCE_MS = 4_000;

try {
  const url = `http://127.0.0.1:${process.env.PORT || '8080'}/health`;
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!ok) throw new Error(`${url} answered ${status}`);
} catch (error) {
  console.error(error.cause?.message || error.message);
  process.exitCode = 1;
}
