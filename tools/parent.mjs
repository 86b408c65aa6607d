// What a program that the bootstrap started knows of it. Runs on Node 20 with nothing installed.

/** Calls `listener` when the bootstrap ends before this process, by a kill -9 too. Does not keep this process alive. */
export function onParentExit(listener) {
  process.once('disconnect', listener);
  // A listener on the channel would keep the process alive.
  process.channel?.unref();
}
