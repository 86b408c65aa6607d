import { useReducedMotion } from '@mantine/hooks';

/** Long enough to be followed by eye. */
const MOVE_MS = 200;

/** How long the canvas takes to move, in milliseconds: none for those who want no motion. */
export const useMoveTime = (): number =>
  useReducedMotion(undefined, { getInitialValueInEffect: false }) ? 0 : MOVE_MS;
