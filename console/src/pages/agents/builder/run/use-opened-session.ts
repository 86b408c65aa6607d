import { useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useNotify } from '../../../../parts/use-notify.tsx';
import type { BuilderUi } from '../use-builder-ui.ts';
import type { Run } from './use-run.ts';

/** Opens the session that the address names. */
export function useOpenedSession(run: Run, { setTab, setView }: BuilderUi): void {
  const { session } = useSearch({ strict: false });
  const { failed } = useNotify();
  const open = useEffectEvent((id: number) => {
    setTab('run');
    setView('side');
    run.open(id).catch(failed);
  });
  useEffect(() => {
    if (session !== undefined) open(session);
  }, [session]);
}
