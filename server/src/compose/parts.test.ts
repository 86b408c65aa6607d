import { expect, test } from 'vitest';
import type { Logger } from '../kernel/log.ts';
import { openParts } from './parts.ts';

/** What happens, in order. */
function recorder() {
  const seen: unknown[] = [];
  const log: Logger = { debug() {}, info() {}, warn() {}, error: (fields) => seen.push(fields), child: () => log };
  const part = (name: string) => ({ close: (graceMs: number) => void seen.push(`close ${name} ${graceMs}`) });
  return { seen, log, part };
}

test('parts start in the order in which they were opened, once all are open, and close the other way round', async () => {
  const { seen, log, part } = recorder();
  const { value, close } = await openParts(log, async (parts) => {
    parts.onStart('x', async () => {
      seen.push('start x');
      return part('x');
    });
    const a = parts.own('a', part('a'));
    parts.onClose('b', () => seen.push(`close b, stopping: ${parts.stopping.aborted}`));
    parts.onStart('y', async () => {
      seen.push('start y');
      return null;
    });
    parts.own('c', part('c'));
    seen.push('open');
    return a;
  });
  expect(seen).toEqual(['open', 'start x', 'start y']);
  expect(value.close).toBeTypeOf('function');
  await Promise.all([close(5), close(9)]);
  await close(7);
  expect(seen.slice(3)).toEqual(['close c 5', 'close b, stopping: true', 'close a 5', 'close x 5']);
});

test('where one cannot be opened or started, those that are open are closed at once', async () => {
  const { seen, log, part } = recorder();
  const opening = openParts(log, async (parts) => {
    parts.own('a', part('a'));
    await Promise.reject(new Error('no room'));
    parts.own('b', part('b'));
  });
  await expect(opening).rejects.toThrow('no room');
  const starting = openParts(log, (parts) => {
    parts.own('c', part('c'));
    parts.onStart('port', () => Promise.reject(new Error('port in use')));
    parts.onStart('never', () => expect.fail('the one before has failed'));
    parts.own('d', part('d'));
  });
  await expect(starting).rejects.toThrow('port in use');
  expect(seen).toEqual(['close a 0', 'close d 0', 'close c 0']);
});

test('a part that cannot be closed is named in the log and keeps no other open', async () => {
  const { seen, log, part } = recorder();
  const failure = new Error('busy');
  const { close } = await openParts(log, (parts) => {
    parts.own('a', part('a'));
    parts.onClose('b', () => Promise.reject(failure));
    parts.onClose('c', () => {
      throw failure;
    });
  });
  await close(1);
  expect(seen).toEqual([{ err: failure, part: 'c' }, { err: failure, part: 'b' }, 'close a 1']);
});

test('what may wait is ended as soon as the service is to stop, and not only in its turn', async () => {
  const { seen, log, part } = recorder();
  const { close } = await openParts(log, (parts) => {
    parts.closeEarly(parts.own('jobs', part('jobs')));
    parts.closeEarly({ close: () => Promise.reject(new Error('told in its turn')) });
    parts.own('requests', part('requests'));
  });
  await close(3);
  expect(seen).toEqual(['close jobs 0', 'close requests 3', 'close jobs 3']);
});
