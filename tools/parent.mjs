// What a program that the bootstrap started knows of it. Runs on Node 20 with nothing installed.

/** Calls `gone` when the bootstrap ends before this process, by a kill -9 too. Does not keep this process alive. */
export function onParentGone(gone) {
  process.once('disconnect', gone);
  // A listener makes the channel a reason to stay; the work alone decides that.
  process.channel?.unref();
}
