const LOOK_EVERY_MS = 250;

/**
 * Calls `stop`, once, when npm has died without passing a signal on, as at `kill -9`: its children live on, and a server
 * among them would keep its port. Started by anything else, whose end need not be theirs, nothing is watched.
 */
export function endWithParent(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, LOOK_EVERY_MS);
  timer.unref();
}
