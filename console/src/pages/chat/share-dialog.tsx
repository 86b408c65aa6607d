import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconLink, IconLinkOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { SecretText } from '../../parts/secret-text.tsx';
import { shareConversation, shareLink, sharesQuery, withdrawShare } from './shares.ts';

interface ShareDialogProps {
  readonly conversationId: string;
  readonly onClose: () => void;
}

/** Makes a link by which people of the tenant read a conversation, and withdraws it. */
export function ShareDialog({ conversationId, onClose }: ShareDialogProps) {
  const { t } = useTranslation('answers');
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(sharesQuery);
  const sharing = useMutation({ mutationFn: () => shareConversation(conversationId), onSuccess });
  const withdrawing = useMutation({ mutationFn: withdrawShare, onSuccess });
  const share = withdrawing.isSuccess ? undefined : sharing.data;
  const begin = () => {
    withdrawing.reset();
    sharing.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t('share')} size="lg" centered>
      <Stack gap="md">
        <Text size="sm">{t('share_hint')}</Text>
        <FormAlert error={sharing.error ?? withdrawing.error} />
        {withdrawing.isSuccess ? (
          <Text size="sm" role="status">
            {t('share_withdrawn')}
          </Text>
        ) : null}
        {share === undefined ? (
          <Group justify="space-between">
            <Anchor component={Link} to="/shared" size="sm">
              {t('share_all')}
            </Anchor>
            <Button
              data-autofocus
              leftSection={<IconLink size={16} aria-hidden />}
              loading={sharing.isPending}
              onClick={begin}
            >
              {t(withdrawing.isSuccess ? 'share_again' : 'share_make')}
            </Button>
          </Group>
        ) : (
          <>
            <SecretText value={shareLink(share.id)} data-testid="share-link" />
            <Group justify="space-between">
              <Button
                variant="subtle"
                color="red"
                leftSection={<IconLinkOff size={16} aria-hidden />}
                loading={withdrawing.isPending}
                onClick={() => withdrawing.mutate(share.id)}
              >
                {t('share_withdraw')}
              </Button>
              <CopyButton value={shareLink(share.id)} label={t('share_copy')} withText />
            </Group>
            <Anchor component={Link} to="/shared" size="sm">
              {t('share_all')}
            </Anchor>
          </>
        )}
      </Stack>
    </Modal>
  );
}
