import { useEffect, useRef, useState } from 'react';

/** The pause between updates, as a multiple of the last render time: the page stays responsive in between. */
const REST_FACTOR = 3;
const MIN_MS = 30;

/**
 * Throttles a value to what the page can render: after each update it pauses for a multiple of the render time.
 * Returns every value at once while `throttled` is false.
 */
export function useThrottledValue<T>(value: T, throttled: boolean): T {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const startedMs = useRef(0);
  const costMs = useRef(0);

  useEffect(() => {
    // Runs after React has committed the value.
    if (startedMs.current === 0) return;
    costMs.current = performance.now() - startedMs.current;
    startedMs.current = 0;
  });
  useEffect(() => {
    latest.current = value;
    if (!throttled || timer.current !== undefined) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        startedMs.current = performance.now();
        setShown(latest.current);
      },
      Math.max(MIN_MS, costMs.current * REST_FACTOR),
    );
  }, [value, throttled]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return throttled ? shown : value;
}
