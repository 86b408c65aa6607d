import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/session.ts';
import { LoadingRows } from '../loading.tsx';
import { ReauthContext, type WithReauth } from './use-reauth.ts';

/** Fetched when somebody is asked. */
const ReauthForm = lazy(async () => ({ default: (await import('./reauth-form.tsx')).ReauthForm }));

/** Above the dialog that started the action. */
const ABOVE_DIALOGS = 300;

/** Nothing to type: what proves who they are is the sign-in itself. */
function NoPassword({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  return (
    <Stack gap="md">
      <Text size="sm">{t('proof.no_password')}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </Group>
    </Stack>
  );
}

interface PendingReauth {
  readonly proven: () => void;
  readonly refused: () => void;
}

/** Provides {@link useReauth} to its children: asks for the password in a dialog, then retries the refused call. */
export function ReauthProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('parts');
  const { has_password: hasPassword } = useMe().user;
  const [pending, setPending] = useState<PendingReauth | null>(null);
  const withReauth = useCallback<WithReauth>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'reauthentication_needed') throw error;
      await new Promise<void>((resolve, reject) => setPending({ proven: resolve, refused: () => reject(error) }));
      return work();
    }
  }, []);
  const close = () => {
    pending?.refused();
    setPending(null);
  };
  const go = () => {
    pending?.proven();
    setPending(null);
  };
  return (
    <ReauthContext value={withReauth}>
      {children}
      <Modal
        opened={pending !== null}
        onClose={close}
        title={t('proof.title')}
        size="sm"
        centered
        zIndex={ABOVE_DIALOGS}
      >
        {hasPassword ? (
          <Suspense fallback={<LoadingRows rows={2} />}>
            <ReauthForm onReauthenticated={go} onClose={close} />
          </Suspense>
        ) : (
          <NoPassword onClose={close} />
        )}
      </Modal>
    </ReauthContext>
  );
}
