import { RecoveryCodes, TotpSetup } from '@ai-studio/contract/console/session.ts';
import { Button } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useReauth } from '../../parts/reauth/use-reauth.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { Section } from './section.tsx';
import { type Setup, TotpSetupDialog } from './totp-setup.tsx';

type Question = 'turn_off' | 'renew';

interface QuestionsProps {
  readonly openDialog: Question | null;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function Questions({ openDialog, onCodes, onClose }: QuestionsProps) {
  const { t } = useTranslation('profilePage');
  const queries = useQueryClient();
  const { done } = useNotify();
  const withReauth = useReauth();
  return (
    <>
      <ConfirmDialog
        opened={openDialog === 'turn_off'}
        title={t('totp.turn_off')}
        confirmLabel={t('totp.turn_off')}
        onClose={onClose}
        onConfirm={async () => {
          await withReauth(() => api.run('DELETE', '/me/totp'));
          await queries.invalidateQueries({ queryKey: meQuery.queryKey });
          done(t('totp.turned_off'));
        }}
      >
        {t('totp.turn_off_hint')}
      </ConfirmDialog>
      <ConfirmDialog
        opened={openDialog === 'renew'}
        title={t('recovery.renew')}
        confirmLabel={t('recovery.renew_confirm')}
        danger={false}
        onClose={onClose}
        onConfirm={async () => {
          const { codes } = await withReauth(() => api.post('/me/recovery-codes', {}, RecoveryCodes));
          onCodes(codes);
        }}
      >
        {t('recovery.renew_hint')}
      </ConfirmDialog>
    </>
  );
}

/** An app that is being set up. */
export interface TotpBeginning {
  readonly setup: Setup | null;
  readonly isPending: boolean;
  begin(): void;
  end(): void;
}

/** Begins to set an app up; for each place of the page that offers it. */
export function useTotpBeginning(): TotpBeginning {
  const withReauth = useReauth();
  const { failed } = useNotify();
  const { mutate, isPending, data, reset } = useMutation({
    mutationFn: () => withReauth(() => api.post('/me/totp', {}, TotpSetup)),
    onError: failed,
    // The secret is not to stay in memory once its dialog is closed.
    gcTime: 0,
  });
  return { setup: data ?? null, isPending, begin: () => mutate(), end: reset };
}

/** The authenticator app and its recovery codes. */
export function Totp({ beginning }: { readonly beginning: TotpBeginning }) {
  const { t } = useTranslation('profilePage');
  const queries = useQueryClient();
  const { done } = useNotify();
  const me = useMe();
  const [openDialog, setOpenDialog] = useState<Question | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const on = me.user.totp;
  const confirmed = (made: readonly string[]) => {
    setCodes(made);
    beginning.end();
    done(t(me.must_add_second_factor ? 'must_done' : 'totp.turned_on'));
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  return (
    <Section
      id="authenticator"
      title={t('totp.title')}
      hint={t('totp.hint')}
      state={{ on, label: t(on ? 'totp.on' : 'totp.off') }}
      actions={
        on ? (
          <>
            <Button variant="default" onClick={() => setOpenDialog('renew')}>
              {t('recovery.renew')}
            </Button>
            <Button variant="light" color="red" onClick={() => setOpenDialog('turn_off')}>
              {t('totp.turn_off')}
            </Button>
          </>
        ) : (
          <Button
            variant="default"
            leftSection={<IconDeviceMobile size={16} aria-hidden />}
            loading={beginning.isPending}
            onClick={() => beginning.begin()}
          >
            {t('totp.set_up')}
          </Button>
        )
      }
    >
      <TotpSetupDialog setup={beginning.setup} onConfirmed={confirmed} onClose={() => beginning.end()} />
      <Questions openDialog={openDialog} onCodes={setCodes} onClose={() => setOpenDialog(null)} />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Section>
  );
}
