import { useBlocker } from '@tanstack/react-router';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import type { Autosave } from './use-autosave.ts';

/** Saves before the page is left; asks where that is not possible. */
export function LeaveGuard({ saving }: { readonly saving: Autosave }) {
  const { t } = useTranslation('agentBuilder');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (saving.state.is === 'saved' || current.pathname === next.pathname) return false;
      return !(await saving.flush());
    },
    enableBeforeUnload: () => saving.state.is !== 'saved',
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title={t('leave.title')}
      confirmLabel={t('leave.confirm')}
      onConfirm={async () => {
        await Promise.resolve();
        proceed?.();
      }}
      onClose={() => reset?.()}
    >
      <Text size="sm">{t('leave.hint')}</Text>
    </ConfirmDialog>
  );
}
