import { afterEach, expect, test, vi } from 'vitest';
import { watchForShutdown } from './stop.ts';

afterEach(() => void vi.useRealTimers());

test('a signal asks for a stop, one right after it is the same, and a later one is somebody who asks again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let asked = 0;
  const watcher = watchForShutdown(() => asked++);
  const signal = (name: NodeJS.Signals) => void process.emit(name, name);
  try {
    expect(watcher.requested).toBe(false);
    signal('SIGINT');
    expect(watcher.requested).toBe(true);
    expect(await watcher.whenRequested).toBe('SIGINT');
    vi.advanceTimersByTime(100);
    // npm and the terminal each pass a key press on.
    signal('SIGTERM');
    expect(asked).toBe(0);
    vi.advanceTimersByTime(1_000);
    signal('SIGINT');
    expect(asked).toBe(1);
  } finally {
    watcher.dispose();
  }
  signal('SIGHUP');
  expect(asked).toBe(1);
});
