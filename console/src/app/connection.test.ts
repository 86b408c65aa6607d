import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UNREACHABLE, watchConnection } from './connection.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const html = (script: string) => `<!doctype html><script nonce="x">1</script><script type="module" src="${script}">`;

/** A window that shows the console of the script `one`, and the service behind it. */
function openPage() {
  const service = { isUp: true, script: '/console/assets/one.js', probes: 0 };
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    querySelector: () => ({ getAttribute: () => '/console/assets/one.js' }),
  });
  const page = Object.assign(new EventTarget(), {
    document,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    fetch(address: string) {
      if (address === '/livez') service.probes += 1;
      if (!service.isUp) return Promise.reject(new TypeError('no network'));
      return Promise.resolve(new Response(address === '/livez' ? 'ok' : html(service.script)));
    },
  });
  const onBack = vi.fn();
  const connection = watchConnection(page as unknown as Parameters<typeof watchConnection>[0], onBack);
  const told = vi.fn();
  connection.subscribe(told);
  const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
  return { service, page, document, connection, onBack, told, pass };
}

test('a call without an answer asks whether the service is away, again and again until it is back', async () => {
  const { service, page, connection, onBack, told, pass } = openPage();
  // One call was lost; the service is there.
  page.dispatchEvent(new Event(UNREACHABLE));
  await pass();
  expect([connection.isAway(), told.mock.calls.length]).toEqual([false, 0]);
  service.isUp = false;
  for (let calls = 3; calls > 0; calls -= 1) page.dispatchEvent(new Event(UNREACHABLE));
  await pass(10_000);
  expect([connection.isAway(), onBack.mock.calls.length]).toEqual([true, 0]);
  service.isUp = true;
  await pass(3_000);
  expect([connection.isAway(), onBack.mock.calls.length, told.mock.calls.length]).toEqual([false, 1, 2]);
  const { probes } = service;
  await pass(60_000);
  expect(service.probes).toBe(probes);
});

test('another version is known once the service is back, and when the window is looked at after a while', async () => {
  const { service, page, document, connection, pass } = openPage();
  service.isUp = false;
  page.dispatchEvent(new Event('offline'));
  await pass(1_000);
  service.isUp = true;
  page.dispatchEvent(new Event('online'));
  await pass();
  expect([connection.isAway(), connection.isOutdated()]).toEqual([false, false]);
  service.script = '/console/assets/two.js';
  document.dispatchEvent(new Event('visibilitychange'));
  await pass();
  expect(connection.isOutdated()).toBe(false);
  await pass(11 * 60_000);
  document.dispatchEvent(new Event('visibilitychange'));
  await pass();
  expect(connection.isOutdated()).toBe(true);
});

test('once closed it asks nothing more', async () => {
  const { service, page, connection, pass } = openPage();
  service.isUp = false;
  page.dispatchEvent(new Event('offline'));
  await pass();
  connection.close();
  const { probes } = service;
  page.dispatchEvent(new Event('offline'));
  await pass(60_000);
  expect(service.probes).toBe(probes);
});
