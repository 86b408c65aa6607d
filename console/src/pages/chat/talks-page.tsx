import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { late } from '../../parts/late.tsx';
import { LoadingPage, LoadingRows } from '../../parts/loading.tsx';
import classes from './chat.module.css';
import { OpenList } from './open-list.ts';

/** Fetched beside the page: people write before they look for what they wrote. */
const SideList = late(
  async () => (await import('./side-list.tsx')).SideList,
  () => (
    <div className={classes['side']}>
      <LoadingRows rows={4} />
    </div>
  ),
);
void SideList.preload().catch(() => undefined);
/** Fetched when the list is opened on a phone. */
const SideDrawer = lazy(async () => ({ default: (await import('./side-drawer.tsx')).SideDrawer }));

/** Asks for the lists again as it comes: they stay while people go from talk to talk, and other windows may have changed them meanwhile. */
function Refetched() {
  const queries = useQueryClient();
  useEffect(() => {
    void queries.refetchQueries({
      type: 'active',
      stale: true,
      predicate: ({ queryKey: [name] }) => name === 'conversations' || name === 'agent-chats',
    });
  }, [queries]);
  return null;
}

/**
 * The frame of every talk, with models and with agents: the list at the side, which keeps its search, its place and what is selected
 * while people go from one talk to another.
 */
export function Page() {
  const { conversationId, sessionId } = useParams({ strict: false });
  const openId = conversationId ?? sessionId ?? null;
  const [wanted, setWanted] = useState(false);
  const [listed, { open, close }] = useDisclosure(false, { onOpen: () => setWanted(true) });
  return (
    <div className={classes['layout']}>
      <Refetched key={openId} />
      <SideList openId={openId} />
      {wanted ? (
        <Suspense>
          <SideDrawer opened={listed} onClose={close} openId={openId} />
        </Suspense>
      ) : null}
      <OpenList value={open}>
        <Suspense fallback={<LoadingPage />}>
          <Outlet />
        </Suspense>
      </OpenList>
    </div>
  );
}
