import type { Passkey } from '@ai-studio/contract/console/session.ts';
import { ActionIcon, Alert, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconFingerprint, IconInfoCircle, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { addPasskey, canUsePasskeys, isDismissed } from '../../api/passkeys.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { useReauth } from '../../parts/reauth/use-reauth.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { deviceOf } from './device.ts';
import { Entries, Entry } from './entry.tsx';
import { passkeysQuery } from './queries.ts';
import { Section } from './section.tsx';

type Key = z.infer<typeof Passkey>;

interface PasskeyEntryProps {
  readonly passkey: Key;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function PasskeyEntry({ passkey, onRename, onRemove }: PasskeyEntryProps) {
  const { t } = useTranslation('profilePage');
  const { t: common } = useTranslation('common');
  const { date } = useFormat();
  const { name } = passkey;
  return (
    <Entry
      icon={IconFingerprint}
      name={name}
      facts={
        <>
          <span>{t('passkeys.created', { at: date(passkey.created_at) })}</span>
          <span>
            {t('passkeys.last_used')} <RelativeTime at={passkey.last_used_at} c="inherit" />
          </span>
        </>
      }
      actions={
        <Group gap={4} wrap="nowrap">
          <Tooltip label={common('rename')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('passkeys.rename_one', { name })}
              onClick={onRename}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={common('remove')}>
            <ActionIcon variant="subtle" color="red" aria-label={t('passkeys.remove_one', { name })} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    />
  );
}

/** What the browser, not the service, has against a new passkey; null for all else. */
function usePasskeyErrorMessage(): (error: unknown) => string | null {
  const { t } = useTranslation('profilePage');
  return (error) => {
    if (!(error instanceof DOMException)) return null;
    if (isDismissed(error)) return t('passkeys.dismissed');
    return t(error.name === 'InvalidStateError' ? 'passkeys.present' : 'passkeys.failed');
  };
}

/** The dialog that is open. */
type OpenDialog = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; readonly passkey: Key };

interface DialogsProps {
  readonly openDialog: OpenDialog | null;
  readonly onClose: () => void;
}

function AddDialog({ openDialog, onClose }: DialogsProps) {
  const { t } = useTranslation('profilePage');
  const { t: common } = useTranslation('common');
  const withReauth = useReauth();
  const changed = usePasskeysChanged();
  const { must_add_second_factor: must } = useMe();
  const { browser, system } = deviceOf(navigator.userAgent);
  return (
    <NameDialog
      opened={openDialog?.what === 'add'}
      title={t('passkeys.add')}
      label={t('passkeys.name')}
      hint={t('passkeys.add_hint')}
      name={browser !== null && system !== null ? t('sessions.device', { browser, system }) : ''}
      saveLabel={common('next')}
      failureMessageOf={usePasskeyErrorMessage()}
      onClose={onClose}
      onSave={async (name) => {
        await withReauth(() => addPasskey(name));
        await changed(t(must ? 'must_done' : 'passkeys.added'));
      }}
    />
  );
}

/** After a change: says so, and asks the service for what is left. */
function usePasskeysChanged(): (message: string) => Promise<void> {
  const queries = useQueryClient();
  const { done } = useNotify();
  return async (message) => {
    done(message);
    await Promise.all([
      queries.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
      queries.invalidateQueries({ queryKey: meQuery.queryKey }),
    ]);
  };
}

function ChangeDialogs({ openDialog, onClose }: DialogsProps) {
  const { t } = useTranslation('profilePage');
  const { t: common } = useTranslation('common');
  const withReauth = useReauth();
  const changed = usePasskeysChanged();
  const passkey = openDialog === null || openDialog.what === 'add' ? null : openDialog.passkey;
  const path = `/me/passkeys/${encodeURIComponent(passkey?.id ?? '')}`;
  return (
    <>
      <NameDialog
        opened={openDialog?.what === 'rename'}
        title={t('passkeys.rename')}
        label={t('passkeys.name')}
        name={passkey?.name ?? ''}
        onClose={onClose}
        onSave={async (name) => {
          await withReauth(() => api.run('PATCH', path, { name }));
          await changed(common('saved'));
        }}
      />
      <ConfirmDialog
        opened={openDialog?.what === 'remove'}
        title={t('passkeys.remove')}
        confirmLabel={t('passkeys.remove')}
        onClose={onClose}
        onConfirm={async () => {
          await withReauth(() => api.run('DELETE', path));
          await changed(t('passkeys.removed'));
        }}
      >
        {t('passkeys.remove_hint', { name: passkey?.name ?? '' })}
      </ConfirmDialog>
    </>
  );
}

/** Passkeys of the person; each is as good as password and second factor. */
export function Passkeys() {
  const { t } = useTranslation('profilePage');
  const query = useQuery(passkeysQuery);
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const available = canUsePasskeys();
  const close = () => setOpenDialog(null);
  return (
    <Section
      id="passkeys"
      title={t('passkeys.title')}
      hint={t('passkeys.hint')}
      actions={
        available ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setOpenDialog({ what: 'add' })}
          >
            {t('passkeys.add')}
          </Button>
        ) : null
      }
    >
      {available ? null : (
        <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t('passkeys.unavailable')}
        </Alert>
      )}
      <Loaded query={query} loading={<LoadingRows rows={1} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('passkeys.none')}
            </Text>
          ) : (
            <Entries label={t('passkeys.title')}>
              {items.map((passkey) => (
                <PasskeyEntry
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setOpenDialog({ what: 'rename', passkey })}
                  onRemove={() => setOpenDialog({ what: 'remove', passkey })}
                />
              ))}
            </Entries>
          )
        }
      </Loaded>
      <AddDialog openDialog={openDialog} onClose={close} />
      <ChangeDialogs openDialog={openDialog} onClose={close} />
    </Section>
  );
}
