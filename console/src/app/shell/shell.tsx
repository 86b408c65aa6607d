import { ActionIcon, Box, Burger, Group, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebar, IconLock } from '@tabler/icons-react';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../api/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { type ShellPage, pagePermissions } from '../page-permissions.ts';
import { useProfilePreferences } from '../use-profile-preferences.ts';
import { useChatAhead } from '../use-chat-ahead.ts';
import { useIdentityReset } from '../use-identity-reset.ts';
import { usePageTitle } from '../use-page-title.ts';
import { AccountMenu } from './account-menu.tsx';
import { AwayBanner } from './away-banner.tsx';
import { Brand } from './brand.tsx';
import { CommandButton } from './command-button.tsx';
import { MainMenu } from './main-menu.tsx';
import classes from './shell.module.css';

/** Fetched for those who have not read it. */
const AiNotice = lazy(async () => ({ default: (await import('./ai-notice.tsx')).AiNotice }));
/** Where an AI answers. */
const aiPages: ReadonlySet<ShellPage | undefined> = new Set(['chat', 'playground']);

/** Where the menu covers the page. */
const NARROW = '(max-width: 47.99em)';

/** Names the window after the page, and moves the focus to its beginning when another page was opened. */
function useArrival(page: ShellPage | undefined, title: string) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // Within a page the address may change while people type, such as that of a new conversation.
  const place = page ?? pathname;
  const first = useRef(place);
  useEffect(() => {
    document.title = `${title} · AI Studio`;
  }, [title]);
  useEffect(() => {
    if (first.current === place) return;
    first.current = '';
    main.current?.focus({ preventScroll: true });
  }, [place]);
  return main;
}

function NotAllowed() {
  const { t } = useTranslation('shell');
  return <EmptyState level={1} icon={IconLock} title={t('not_allowed')} hint={t('not_allowed_hint')} />;
}

/** Unfolds the rail to the whole menu and back. */
function RailButton({ folded, onToggle }: { readonly folded: boolean; readonly onToggle: () => void }) {
  const { t } = useTranslation('shell');
  const label = t(folded ? 'expand' : 'shrink');
  return (
    <Tooltip label={label} position="right">
      <ActionIcon
        size={folded ? 32 : 30}
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-expanded={!folded}
        onClick={onToggle}
      >
        <IconLayoutSidebar size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** The frame of every page of people who are signed in: the menu beside, the page in the middle. */
export function Shell() {
  const { t } = useTranslation('shell');
  const title = usePageTitle();
  const [opened, { toggle, close }] = useDisclosure(false);
  const me = useMe();
  const { page, full = false, rail = false } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} });
  const small = useMediaQuery(NARROW) ?? false;
  const folded = rail && !opened && !small;
  const burger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLElement>(null);
  // Where the menu covers the page, the focus does not stay in it.
  const leave = () => {
    if (opened && menu.current?.contains(document.activeElement) === true) burger.current?.focus();
    close();
  };
  useHotkeys([['Escape', leave]]);
  useProfilePreferences(me);
  const identityKey = useIdentityReset(me);
  useChatAhead(page !== 'chat' && hasPermission(me, pagePermissions.chat));
  const allowed = page === undefined || hasPermission(me, pagePermissions[page]);
  const notice = me.ai?.notice ?? null;
  const main = useArrival(page, page === undefined ? t('not_found') : allowed ? title(page) : t('not_allowed'));
  return (
    <div className={classes['shell']} data-folded={folded} data-rail={rail}>
      <a href="#main" className={classes['skip']}>
        {t('skip')}
      </a>
      <header className={classes['header']}>
        <Burger
          ref={burger}
          opened={opened}
          onClick={toggle}
          size="sm"
          aria-expanded={opened}
          aria-label={opened ? t('close_menu') : t('open_menu')}
        />
        {rail ? null : <Brand />}
      </header>
      <nav ref={menu} className={classes['navbar']} data-opened={opened} data-folded={folded} inert={small && !opened}>
        <Group
          visibleFrom="sm"
          justify="space-between"
          wrap={folded ? 'wrap' : 'nowrap'}
          gap="sm"
          p={folded ? 'sm' : 'md'}
          pb="xs"
        >
          <Brand folded={folded} />
          {rail ? <RailButton folded={folded} onToggle={toggle} /> : null}
        </Group>
        <Box px={folded ? 10 : 'sm'} pt="sm">
          <CommandButton folded={folded} />
        </Box>
        <div className={classes['scroll']}>
          <MainMenu folded={folded} onOpen={leave} />
        </div>
        <div className={classes['foot']}>
          <AccountMenu folded={folded} />
        </div>
      </nav>
      <main id="main" ref={main} tabIndex={-1} inert={small && opened} className={classes['main']}>
        <AwayBanner />
        <Box key={identityKey} className={full ? classes['full'] : classes['page']}>
          <Suspense fallback={<LoadingPage />}>{allowed ? <Outlet /> : <NotAllowed />}</Suspense>
          {notice !== null && allowed && aiPages.has(page) ? (
            <Suspense>
              <AiNotice notice={notice} />
            </Suspense>
          ) : null}
        </Box>
      </main>
    </div>
  );
}
