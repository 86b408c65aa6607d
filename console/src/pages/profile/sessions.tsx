import type { SessionInfo } from '@ai-studio/contract/console/session.ts';
import { Badge, Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { useReauth } from '../../parts/reauth/use-reauth.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { deviceOf } from './device.ts';
import { Entries, Entry } from './entry.tsx';
import { sessionsQuery } from './queries.ts';
import { Section } from './section.tsx';

type Session = z.infer<typeof SessionInfo>;

/** What a device is called, as far as its browser said. */
function useDeviceLabel(): (session: Session) => string {
  const { t } = useTranslation('profilePage');
  return ({ user_agent: userAgent }) => {
    const { browser, system } = deviceOf(userAgent);
    if (browser !== null && system !== null) return t('sessions.device', { browser, system });
    return browser ?? system ?? t('sessions.device_unknown');
  };
}

function SessionEntry({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { t } = useTranslation('profilePage');
  const { date } = useFormat();
  const device = useDeviceLabel()(session);
  return (
    <Entry
      icon={deviceOf(session.user_agent).mobile ? IconDeviceMobile : IconDeviceDesktop}
      name={device}
      badge={
        session.current ? (
          <Badge variant="light" size="sm" tt="none">
            {t('sessions.current')}
          </Badge>
        ) : null
      }
      facts={
        <>
          <span>{session.address}</span>
          <span>{t('sessions.since', { at: date(session.created_at) })}</span>
          {session.current ? null : (
            <span>
              {t('sessions.seen')} <RelativeTime at={session.seen_at} c="inherit" />
            </span>
          )}
        </>
      }
      actions={
        session.current ? null : (
          <Button
            size="xs"
            variant="default"
            aria-label={t('sessions.end_one', { device: `${device}, ${session.address}` })}
            onClick={onEnd}
          >
            {t('sessions.end')}
          </Button>
        )
      }
    />
  );
}

/** The confirmation dialog that is open. */
type OpenDialog = { readonly what: 'one'; readonly session: Session } | { readonly what: 'others' };

function EndDialog({ openDialog, onClose }: { readonly openDialog: OpenDialog | null; readonly onClose: () => void }) {
  const { t } = useTranslation('profilePage');
  const queries = useQueryClient();
  const { done } = useNotify();
  const withReauth = useReauth();
  const device = useDeviceLabel();
  const one = openDialog?.what === 'one' ? openDialog.session : null;
  return (
    <ConfirmDialog
      opened={openDialog !== null}
      title={t(one === null ? 'sessions.end_others' : 'sessions.end_title')}
      confirmLabel={t('sessions.end')}
      onClose={onClose}
      onConfirm={async () => {
        await withReauth(() => api.run('DELETE', one === null ? '/me/sessions' : `/me/sessions/${one.id}`));
        await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        done(t(one === null ? 'sessions.others_ended' : 'sessions.ended'));
      }}
    >
      {one === null
        ? t('sessions.end_others_hint')
        : t('sessions.end_hint', { device: device(one), address: one.address })}
    </ConfirmDialog>
  );
}

/** Where the person is signed in. */
export function Sessions() {
  const { t } = useTranslation('profilePage');
  const query = useQuery(sessionsQuery);
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const others = query.data?.items.some(({ current }) => !current) ?? false;
  return (
    <Section
      id="sessions"
      title={t('sessions.title')}
      hint={t('sessions.hint')}
      actions={
        others ? (
          <Button variant="default" onClick={() => setOpenDialog({ what: 'others' })}>
            {t('sessions.end_others')}
          </Button>
        ) : null
      }
    >
      <Loaded query={query} loading={<LoadingRows rows={2} />}>
        {({ items }) => (
          <Entries label={t('sessions.title')}>
            {items
              .toSorted((a, b) => Number(b.current) - Number(a.current))
              .map((session) => (
                <SessionEntry
                  key={session.id}
                  session={session}
                  onEnd={() => setOpenDialog({ what: 'one', session })}
                />
              ))}
          </Entries>
        )}
      </Loaded>
      <EndDialog openDialog={openDialog} onClose={() => setOpenDialog(null)} />
    </Section>
  );
}
