import { Badge, Stack, Text, Tooltip } from '@mantine/core';
import { Link, useMatches } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAgentNotes } from '../../api/agent-notes.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { type PageName, navigation } from '../navigation.ts';
import { pagePermissions } from '../page-permissions.ts';
import { usePageTitle } from '../use-page-title.ts';
import classes from './shell.module.css';

/** How much waits on a page. */
function Count({ page, count }: { readonly page: PageName; readonly count: number }) {
  const { t } = useTranslation('shell');
  if (count === 0) return null;
  return (
    <Badge
      size="sm"
      variant="filled"
      color="red"
      className={classes['entryCount'] ?? ''}
      aria-label={t(page === 'reviews' ? 'waiting' : 'news', { count })}
    >
      {count}
    </Badge>
  );
}

/** The main menu, with what this person may open; folded, the words of its entries are for those who do not see it. */
export function MainMenu({ folded, onOpen }: { readonly folded: boolean; readonly onOpen: () => void }) {
  const { t } = useTranslation('shell');
  const title = usePageTitle();
  const me = useMe();
  const notes = useAgentNotes();
  const counts: Partial<Record<PageName, number>> = {
    reviews: notes.pending ?? 0,
    agents: notes.decided.length,
  };
  const current = useMatches({ select: (matches) => matches.at(-1)?.staticData.page });
  const nav = useRef<HTMLDivElement>(null);
  // A menu that is longer than the window shows where one is.
  useEffect(() => {
    if (current !== undefined) nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <Stack component="nav" ref={nav} aria-label={t('navigation')} gap={folded ? 'xs' : 'lg'}>
      {navigation.map(({ group, entries }) => {
        const open = entries.filter(({ page }) => hasPermission(me, pagePermissions[page]));
        if (open.length === 0) return null;
        return (
          <div key={group} className={classes['section']} data-folded={folded}>
            <Text component="h2" className={classes['group']} data-folded={folded}>
              {t(`groups.${group}`)}
            </Text>
            <ul className={classes['entries']}>
              {open.map(({ to, page, icon: Picture }) => (
                <li key={to}>
                  <Tooltip label={title(page)} position="right" disabled={!folded}>
                    <Link
                      to={to}
                      aria-current={current === page ? 'page' : undefined}
                      onClick={onOpen}
                      className={classes['entry']}
                      data-folded={folded}
                    >
                      <Picture size={18} stroke={1.6} aria-hidden />
                      <span className={classes['entryText']}>{title(page)}</span>
                      <Count page={page} count={counts[page] ?? 0} />
                    </Link>
                  </Tooltip>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </Stack>
  );
}
