import { type ReactNode, Suspense, useLayoutEffect } from 'react';

/** Whether nothing has the focus. */
const isLost = (focused: Element | null) => focused === null || focused === document.body;

interface FetchedDialogProps {
  readonly opened: boolean;
  /** The dialog, which may be left out while it is closed. */
  readonly children: ReactNode;
}

/**
 * A dialog whose code is fetched when it is asked for. Once it is closed, the focus is again where it was: the dialog itself, which begins
 * as an open one and may be gone as soon as it is closed, does not see to that.
 */
export function FetchedDialog({ opened, children }: FetchedDialogProps) {
  useLayoutEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      const atClose = document.activeElement;
      // What else is opened in its place takes the focus before.
      setTimeout(() => {
        const now = document.activeElement;
        if ((isLost(now) || now === atClose) && before instanceof HTMLElement) before.focus({ preventScroll: true });
      }, 10);
    };
  }, [opened]);
  return <Suspense>{children}</Suspense>;
}
