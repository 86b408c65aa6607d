import { createContext } from 'react';

/** Opens the list of talks where the window has no room for it beside the talk. */
export const OpenList = createContext<() => void>(() => undefined);
