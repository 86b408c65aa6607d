import { useEffect, useRef, useState } from 'react';

/** The page rests this many times as long as it took to show the last state, so that it answers in between. */
const REST = 3;
const MIN_MS = 30;

/**
 * The value, changed no more often than the page can show it: each time it rests for a multiple of what showing took.
 * `steady` false gives every value at once.
 */
export function useSteady<T>(value: T, steady: boolean): T {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const startedMs = useRef(0);
  const costMs = useRef(0);

  useEffect(() => {
    // Runs after the page has taken a value over.
    if (startedMs.current === 0) return;
    costMs.current = performance.now() - startedMs.current;
    startedMs.current = 0;
  });
  useEffect(() => {
    latest.current = value;
    if (!steady || timer.current !== undefined) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        startedMs.current = performance.now();
        setShown(latest.current);
      },
      Math.max(MIN_MS, costMs.current * REST),
    );
  }, [value, steady]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return steady ? shown : value;
}
