import type { Connector } from '@ai-studio/contract/retrieval/connector.ts';
import { Divider, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../parts/loaded.tsx';
import { runsQuery } from './queries.ts';
import { RunDetails, RunSummary } from './run-view.tsx';

interface RunsProps {
  readonly connector: Connector;
  readonly onClose: () => void;
}

/** What a connection did, the newest first. */
export function Runs({ connector, onClose }: RunsProps) {
  const { t } = useTranslation('connections');
  const { collection_id: id, connector_id: connectorId, name, last_run: last } = connector;
  const runs = useQuery(runsQuery(id, connectorId, `${last?.run_id ?? ''} ${last?.state ?? ''}`));
  return (
    <Modal opened onClose={onClose} title={t('runs_of', { name })} size="lg">
      <Loaded query={runs}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('no_runs')}</Text>
          ) : (
            <Stack gap="md">
              {items.map((run) => (
                <Stack key={run.run_id} gap="xs">
                  <RunSummary run={run} />
                  <RunDetails run={run} />
                  <Divider />
                </Stack>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Modal>
  );
}
