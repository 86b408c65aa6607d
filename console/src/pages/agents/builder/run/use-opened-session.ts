import { useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useNotify } from '../../../../parts/use-notify.tsx';
import type { BuilderUi } from '../use-builder-ui.ts';
import type { Run } from './use-run.ts';

/** Opens the session that the address names, or the tab of runs where it asks for that. */
export function useOpenedSession(run: Run, { setTab, setView }: BuilderUi): void {
  const { session, tab } = useSearch({ strict: false });
  const { failed } = useNotify();
  const open = useEffectEvent((id: number) => {
    setTab('run');
    setView('side');
    run.open(id).catch(failed);
  });
  const show = useEffectEvent(() => {
    setTab('run');
    setView('side');
  });
  useEffect(() => {
    if (session !== undefined) open(session);
    else if (tab === 'run') show();
  }, [session, tab]);
}
