import type { Connector } from '@ai-studio/contract/retrieval/connector.ts';
import { Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { connectorPath, connectorsKey } from './queries.ts';

const choices = ['keep', 'remove'] as const;

interface DialogProps {
  readonly connector: Connector;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Removes a connection, with its documents or without them. */
export function RemoveDialog({ connector, opened, onClose }: DialogProps) {
  const { t } = useTranslation('connections');
  const { number } = useFormat();
  const queries = useQueryClient();
  const [documents, setDocuments] = useState<(typeof choices)[number]>('keep');
  const { collection_id: id, connector_id: connectorId, name } = connector;
  return (
    <ConfirmDialog
      opened={opened}
      title={t('remove_title', { name })}
      confirmLabel={t('remove')}
      onConfirm={async () => {
        await api.run('DELETE', `${connectorPath(id, connectorId)}?documents=${documents}`);
        await queries.invalidateQueries({ queryKey: connectorsKey(id) });
      }}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>{t('remove_text', { documents: number(connector.documents) })}</Text>
        <Radio.Group
          aria-label={t('remove_documents')}
          value={documents}
          onChange={(value) => setDocuments(value === 'remove' ? 'remove' : 'keep')}
        >
          <Stack gap="xs">
            {choices.map((one) => (
              <Radio key={one} value={one} label={t(`remove_choices.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
    </ConfirmDialog>
  );
}
